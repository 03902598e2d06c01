package io.isle.lib.drive;

/** The longest time between two replies while a reply was due. Guarded by its window. */
final class GapClock {
  private long sinceNs;
  private boolean running;
  private long longestNs;

  /** A packet is sent while no other one is on its way. */
  void begin(long nowNs) {
    if (!running) {
      sinceNs = nowNs;
      running = true;
    }
  }

  /**
   * A reply has arrived.
   *
   * @param due whether further replies are due
   */
  void reply(long nowNs, boolean due) {
    if (running) {
      longestNs = Math.max(longestNs, nowNs - sinceNs);
    }
    sinceNs = nowNs;
    running = due;
  }

  long longestNs() {
    return longestNs;
  }
}
