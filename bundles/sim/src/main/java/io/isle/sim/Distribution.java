package io.isle.sim;

/**
 * How long things took: counts in buckets of a 2048th of their value at most, and the longest
 * exactly, to which alone belongs what has not ended. Grows with the magnitudes that it meets, not
 * with how much it counts.
 */
final class Distribution {
  private static final int BITS = 11;
  private static final int BUCKETS = 1 << BITS;

  /** By the bits above {@link #BITS}. */
  private final long[][] counts = new long[Long.SIZE - BITS][];

  private long count;
  private long max;

  void add(long ns) {
    long value = Math.max(0, ns);
    int shift = shift(value);
    if (counts[shift] == null) {
      counts[shift] = new long[BUCKETS];
    }
    counts[shift][(int) (value >>> shift)]++;
    count++;
    max = Math.max(max, value);
  }

  /** Something took so long at least; nobody knows how long. */
  void addOpen(long ns) {
    max = Math.max(max, ns);
  }

  private static int shift(long value) {
    return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - BITS);
  }

  long count() {
    return count;
  }

  /** 0 without any. */
  long max() {
    return max;
  }

  /**
   * The value that so many are not above, to a 1024th; 0 without any.
   *
   * @param part 0 to 1
   */
  long percentile(double part) {
    long rank = Math.max(1, (long) Math.ceil(part * count));
    long seen = 0;
    for (int shift = 0; shift < counts.length; shift++) {
      for (int i = 0; counts[shift] != null && i < BUCKETS; i++) {
        seen += counts[shift][i];
        if (seen >= rank) {
          return Math.min(max, ((i + 1L) << shift) - 1);
        }
      }
    }
    return 0;
  }

  void add(Distribution other) {
    for (int shift = 0; shift < counts.length; shift++) {
      if (other.counts[shift] != null) {
        if (counts[shift] == null) {
          counts[shift] = new long[BUCKETS];
        }
        for (int i = 0; i < BUCKETS; i++) {
          counts[shift][i] += other.counts[shift][i];
        }
      }
    }
    count += other.count;
    max = Math.max(max, other.max);
  }
}
