package io.isle.net.xdp.host;

import java.time.Duration;
import java.util.OptionalLong;

/** Watches a number that a process changes as long as it lives. No clock of its own. One thread. */
final class Heartbeat {
  private final long hangNs;
  private long beats;
  private long sinceNs;

  /**
   * @param hang longest time without a change
   */
  Heartbeat(Duration hang, long beats, long nowNs) {
    hangNs = hang.toNanos();
    this.beats = beats;
    sinceNs = nowNs;
  }

  /**
   * Takes a look.
   *
   * @return the time without a change, if it is too long
   */
  OptionalLong silenceNs(long seen, long nowNs) {
    if (seen != beats) {
      beats = seen;
      sinceNs = nowNs;
    }
    long silence = nowNs - sinceNs;
    return silence > hangNs ? OptionalLong.of(silence) : OptionalLong.empty();
  }
}
