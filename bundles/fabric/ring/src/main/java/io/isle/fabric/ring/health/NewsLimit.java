package io.isle.fabric.ring.health;

/** A bound on what arrives of a neighbour: a burst, then a rate. Not thread-safe. */
final class NewsLimit {
  private static final int BURST = 256;
  private static final long EACH_NS = 1_000_000_000L / 256;

  private int left = BURST;
  private long filledNs;

  /** Whether one more may pass at this time. */
  boolean passes(long nowNs) {
    if (left == BURST) {
      filledNs = nowNs;
    }
    long more = Math.min((nowNs - filledNs) / EACH_NS, BURST - left);
    if (more > 0) {
      left += (int) more;
      filledNs += more * EACH_NS;
    }
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
