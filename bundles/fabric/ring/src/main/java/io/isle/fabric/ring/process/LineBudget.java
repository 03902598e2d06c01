package io.isle.fabric.ring.process;

/** Lets so many events a second pass, and counts the others. No clock of its own. One thread. */
final class LineBudget {
  private static final long SECOND_NS = 1_000_000_000;

  private final int most;
  private long windowNs;
  private int passed;
  private long dropped;

  LineBudget(int most, long nowNs) {
    this.most = most;
    windowNs = nowNs;
  }

  /** Whether an event passes now. */
  boolean passes(long nowNs) {
    if (nowNs - windowNs >= SECOND_NS) {
      windowNs = nowNs;
      passed = 0;
    }
    if (passed >= most) {
      dropped++;
      return false;
    }
    passed++;
    return true;
  }

  /** Events that did not pass since the last call. */
  long takeDropped() {
    long before = dropped;
    dropped = 0;
    return before;
  }
}
