package io.isle.fabric.ring.process.wire;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.fabric.ring.health.FailureChange;
import java.util.Optional;

/** What the process of a node tells the platform. */
public sealed interface Answer permits Answer.Report, Answer.Line, Answer.News {
  /**
   * The node as it is now.
   *
   * @param number of the {@link Order.Ask}; 0 if nobody asked
   * @param hop times of packets to the next node, if they are known
   * @param prevFailure error number of the kernel of the link to the previous node; 0 without one
   * @param nextFailure of the link to the next node
   * @param problem a part that cannot be used, in words; empty without one
   */
  record Report(
      long number,
      RingNodeInfo node,
      Optional<HopTimes> hop,
      int prevFailure,
      int nextFailure,
      String problem)
      implements Answer {
    /** A copy without a number and without times of packets. */
    public Report withoutTimes() {
      return new Report(0, node, Optional.empty(), prevFailure, nextFailure, problem);
    }
  }

  /** A record of the log. */
  record Line(Level level, String logger, String text) implements Answer {}

  /** A node of the ring has failed, fails for another cause, or is here again: for the audit. */
  record News(FailureChange change) implements Answer {}

  /** Levels of the log. */
  enum Level {
    INFO,
    WARNING,
    ERROR
  }
}
