package io.isle.benchmarks.share;

/**
 * When the next submission is due: one each so often, from the first on. Who is late makes up for
 * it, but not for more than a number of them. For one thread.
 */
final class Pace {
  private final long everyNs;
  private final long mostNs;
  private boolean begun;
  private long dueNs;

  /**
   * @param most that may be due at a time
   */
  Pace(long everyNs, int most) {
    this.everyNs = everyNs;
    mostNs = most * everyNs;
  }

  /** One is always due. */
  static Pace any() {
    return new Pace(0, 0);
  }

  /** How long until one is due; not more than 0 when it is. */
  long leftNs(long nowNs) {
    return begun && everyNs > 0 ? dueNs - nowNs : 0;
  }

  /** One was submitted. */
  void submitted(long nowNs) {
    dueNs = begun ? dueNs + everyNs : nowNs + everyNs;
    if (dueNs - (nowNs - mostNs) < 0) {
      dueNs = nowNs - mostNs;
    }
    begun = true;
  }
}
