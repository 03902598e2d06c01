package io.isle.fabric.ring.process;

import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.health.FailureChange;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.settings.NodeSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/** Checks what the types of a report leave open, but for {@link GivenAddresses}. */
final class ReportCheck {
  private ReportCheck() {}

  /**
   * Refuses a report that is of another node, or that others would stumble over.
   *
   * @param asked number of the last question
   */
  static void check(Answer.Report report, long asked, String node, NodeSettings settings)
      throws MalformedException {
    RingNodeInfo info = report.node();
    require(report.number() >= 0 && report.number() <= asked, "number", report.number());
    require(report.prevFailure() >= 0, "failure", report.prevFailure());
    require(report.nextFailure() >= 0, "failure", report.nextFailure());
    require(info.name().equals(node), "node", info.name());
    require(info.ring().equals(settings.ring()), "ring", info.ring());
    require(info.role() == settings.role(), "role", info.role());
    require(info.packetBytes() == settings.packetBytes(), "packet bytes", info.packetBytes());
    require(info.layers() == settings.layers(), "layers", info.layers());
    require(info.dropped() >= 0, "dropped", info.dropped());
    require(info.resizes() >= 0, "resizes", info.resizes());
    link(info.prev(), RingSide.PREV);
    link(info.next(), RingSide.NEXT);
  }

  /** Refuses news of what is no node. */
  static void check(FailureChange change) throws MalformedException {
    NodeFailure failure = change.failure();
    require(failure.node().matches(RingNodeInfo.NAME), "node", failure.node());
    require(failure.silentNs() >= 0, "silence", failure.silentNs());
    require(
        failure.endedNs() == 0 || failure.endedNs() >= failure.detectedNs(),
        "end",
        failure.endedNs());
  }

  private static void link(LinkInfo link, RingSide side) throws MalformedException {
    require(link.side() == side, "side", link.side());
    for (RecordComponent counter : LinkCounters.class.getRecordComponents()) {
      require(value(counter, link.counters()) >= 0, counter.getName(), "below 0");
    }
  }

  private static long value(RecordComponent counter, LinkCounters of) {
    try {
      return (long) counter.getAccessor().invoke(of);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(boolean holds, String what, Object value) throws MalformedException {
    if (!holds) {
      throw new MalformedException("a report with the wrong " + what + ": " + value);
    }
  }
}
