package io.isle.fabric.ring.isle;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Round trips to a neighbour by size: eight classes for each power of two. One thread adds; any
 * thread reads.
 */
final class HopLog {
  private static final int FINE_BITS = 3;
  private static final int FINE = 1 << FINE_BITS;

  private final AtomicLongArray counts = new AtomicLongArray(Long.SIZE << FINE_BITS);

  void add(long ns) {
    if (ns > 0) {
      int at = index(ns);
      counts.setRelease(at, counts.getPlain(at) + 1);
    }
  }

  private static int index(long ns) {
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns);
    int fine = (int) (power < FINE_BITS ? 0 : ns >>> power - FINE_BITS & FINE - 1);
    return power << FINE_BITS | fine;
  }

  /**
   * Nanoseconds that a part of the round trips needed at most.
   *
   * @param percent 1 to 100
   * @return 0 without a round trip
   */
  long percentile(int percent) {
    long all = 0;
    for (int i = 0; i < counts.length(); i++) {
      all += counts.getAcquire(i);
    }
    long wanted = (all * percent + 99) / 100;
    long seen = 0;
    for (int i = 0; i < counts.length() && all > 0; i++) {
      seen += counts.getAcquire(i);
      if (seen >= wanted) {
        return end(i);
      }
    }
    return 0;
  }

  /** The largest time of a class. */
  private static long end(int index) {
    int power = index >>> FINE_BITS;
    long fine = index & FINE - 1;
    return power < FINE_BITS
        ? (2L << power) - 1
        : (1L << power) + (fine + 1 << power - FINE_BITS) - 1;
  }
}
