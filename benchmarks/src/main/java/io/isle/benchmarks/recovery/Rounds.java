package io.isle.benchmarks.recovery;

/**
 * How often each case is measured.
 *
 * @param warmUp before the first that counts
 * @param crashes of each kind
 * @param hangs of the driver
 * @param starts of a JVM
 * @param pairs of tiers
 * @param busy submissions of a measurement of throughput
 */
record Rounds(int warmUp, int crashes, int hangs, int starts, int pairs, int busy) {
  /** What figures need. */
  static final Rounds ALL = new Rounds(5, 200, 30, 30, 21, 4000);

  /** Each case once: whether it runs at all. */
  static final Rounds SMOKE = new Rounds(0, 1, 1, 1, 1, 100);
}
