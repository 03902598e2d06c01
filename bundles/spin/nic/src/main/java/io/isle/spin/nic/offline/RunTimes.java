package io.isle.spin.nic.offline;

/**
 * Times of runs of a handler: the least and the longest are exact, the others within 1/128. Memory
 * does not grow with the number of times.
 */
public final class RunTimes {
  private static final int BITS = 7;
  private static final int STEPS = 1 << BITS;

  private final long[] counts = new long[(Long.SIZE - BITS) * STEPS];
  private long runs;
  private long min = Long.MAX_VALUE;
  private long max;
  private long sum;

  /** Adds a time of 0 or more. */
  void add(long ns) {
    counts[index(ns)]++;
    runs++;
    sum += ns;
    min = Math.min(min, ns);
    max = Math.max(max, ns);
  }

  /** Times below 128 have a place of their own; above, each doubling has 128 places. */
  private static int index(long ns) {
    int shift = Math.max(0, Long.SIZE - BITS - 1 - Long.numberOfLeadingZeros(ns));
    return shift * STEPS + (int) (ns >>> shift);
  }

  private static long value(int index) {
    int shift = Math.max(0, index / STEPS - 1);
    return (long) (index - shift * STEPS) << shift;
  }

  /** Number of times. */
  public long runs() {
    return runs;
  }

  /** Sum of all times. */
  public long sum() {
    return sum;
  }

  /** The least time; 0 without one. */
  public long min() {
    return runs == 0 ? 0 : min;
  }

  /** The longest time; 0 without one. */
  public long max() {
    return max;
  }

  /**
   * The least time that a part of all times does not exceed; 0 without one.
   *
   * @param percent 1 to 100
   */
  public long percentile(int percent) {
    long rank = (runs * percent + 99) / 100;
    long below = 0;
    for (int i = 0; i < counts.length && rank > 0; i++) {
      below += counts[i];
      if (below >= rank) {
        return Math.clamp(value(i), min, max);
      }
    }
    return 0;
  }
}
