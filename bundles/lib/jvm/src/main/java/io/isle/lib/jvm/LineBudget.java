package io.isle.lib.jvm;

/** Lets so many events a second pass, and counts the others. No clock of its own. One thread. */
public final class LineBudget {
  private static final long SECOND_NS = 1_000_000_000;

  private final int most;
  private long windowNs;
  private int passed;
  private long dropped;

  /**
   * @param most events a second
   */
  public LineBudget(int most, long nowNs) {
    this.most = most;
    windowNs = nowNs;
  }

  /** Whether an event passes now. */
  public boolean passes(long nowNs) {
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
  public long takeDropped() {
    long before = dropped;
    dropped = 0;
    return before;
  }
}
