package io.isle.benchmarks.share;

/**
 * How often and how long each case is measured.
 *
 * @param runs of a case
 * @param pairs of a run beside a flood and one without
 * @param runNs length of a run
 * @param periodUs of the shares that are promised
 * @param submissions of a run whose waits are measured
 * @param warmUp submissions before the first that counts
 */
record Rounds(int runs, int pairs, long runNs, long periodUs, int submissions, int warmUp) {
  /** What figures need: periods so long that delays of the machine's CPUs are made up for. */
  static final Rounds ALL = new Rounds(9, 15, 4_000_000_000L, 1_000_000, 200, 100);

  /** Each case once: whether it runs at all. */
  static final Rounds SMOKE = new Rounds(1, 1, 100_000_000, 100_000, 1, 0);

  long periodNs() {
    return 1000 * periodUs;
  }

  /**
   * To seven eighths of a period, when those who were promised a share of it have had theirs: a
   * stall in the middle of somebody's turn would count as an error that is made up for at once.
   */
  long settleNs() {
    return periodNs() * 15 / 8;
  }
}
