package io.isle.net.xdp.host;

import io.isle.lib.jvm.RestartDelays;
import java.time.Duration;
import java.util.function.LongSupplier;

/** When the next process of a tile may start, and why the last one has ended. Not thread-safe. */
final class Restarts {
  private static final String STARTS = "the process of the tile starts";

  private final RestartDelays delays;
  private final LongSupplier clock;
  private long earliestNs;
  private long starts;
  private long tookOverNs;
  private String reason = STARTS;

  /**
   * @param clock of nanoseconds
   */
  Restarts(RestartDelays delays, LongSupplier clock) {
    this.delays = delays;
    this.clock = clock;
    earliestNs = clock.getAsLong();
  }

  /** Time before the next start; none if it may be now. */
  Duration left() {
    long wait = earliestNs - clock.getAsLong();
    return wait > 0 ? Duration.ofNanos(wait) : Duration.ZERO;
  }

  /** A process takes over. */
  void tookOver() {
    starts++;
    tookOverNs = clock.getAsLong();
  }

  /** The tile runs for the first time; a reason of an end stays. */
  void began() {
    if (reason.equals(STARTS)) {
      reason = "";
    }
  }

  /** The process that had taken over has ended. */
  Duration ended() {
    return ended(Duration.ofNanos(clock.getAsLong() - tookOverNs));
  }

  /**
   * A process has ended.
   *
   * @param lived since it was ready
   * @return the time before the next start
   */
  Duration ended(Duration lived) {
    Duration delay = delays.ended(lived);
    earliestNs = clock.getAsLong() + delay.toNanos();
    return delay;
  }

  /** How often processes have ended lately; empty for the first time. */
  String often() {
    return delays.ends() > 1 ? ", " + delays.ends() + " times within short" : "";
  }

  void reason(String why) {
    reason = why;
  }

  /** Why the last process has ended, or why none runs; empty if nothing happened. */
  String reason() {
    return reason;
  }

  /** Processes that have taken over so far. */
  long starts() {
    return starts;
  }
}
