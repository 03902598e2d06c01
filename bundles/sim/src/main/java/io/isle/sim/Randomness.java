package io.isle.sim;

import java.util.List;

/**
 * Numbers that look random and are the same on every machine and in every version for a seed and
 * name (SplitMix64).
 */
final class Randomness {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double STEP = 0x1.0p-53;

  private long state;

  Randomness(long seed, String name) {
    state = seed;
    for (int i = 0; i < name.length(); i++) {
      state = next() ^ name.charAt(i);
    }
  }

  long next() {
    state += GOLDEN;
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** From 0, below 1. */
  double fraction() {
    return (next() >>> 11) * STEP;
  }

  /** From {@code min} to {@code max}, both included. */
  long between(long min, long max) {
    return min + (long) (fraction() * (max - min + 1));
  }

  /** With this mean, at least 1. */
  long exponential(long mean) {
    return Math.max(1, (long) (-mean * StrictMath.log(1 - fraction())));
  }

  /**
   * The next length of time.
   *
   * @param count how many of the times were drawn before
   */
  long draw(Scenario.Times times, long count) {
    return switch (times) {
      case Scenario.Times.Constant constant -> constant.ns();
      case Scenario.Times.Uniform uniform -> between(uniform.minNs(), uniform.maxNs());
      case Scenario.Times.Exponential exponential -> exponential(exponential.meanNs());
      case Scenario.Times.Listed(List<Long> ns) -> ns.get((int) (count % ns.size()));
    };
  }
}
