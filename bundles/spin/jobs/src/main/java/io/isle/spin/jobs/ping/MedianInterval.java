package io.isle.spin.jobs.ping;

import java.util.Arrays;

/**
 * The median of samples, and an interval that has the median of their source with a probability of
 * at least 95 %, whatever its distribution: between two samples whose ranks lie as far from the
 * ends as the binomial distribution allows.
 *
 * @param median not a number without samples
 * @param low not a number with fewer than 6 samples
 * @param high as {@code low}
 */
record MedianInterval(double median, double low, double high) {
  private static final double BEYOND = 0.025;

  /**
   * @param samples at most 1000
   */
  static MedianInterval of(double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    if (n == 0) {
      return new MedianInterval(Double.NaN, Double.NaN, Double.NaN);
    }
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    int rank = rank(n);
    return rank == 0
        ? new MedianInterval(median, Double.NaN, Double.NaN)
        : new MedianInterval(median, sorted[rank - 1], sorted[n - rank]);
  }

  /** The rank from either end, from 1; 0 if the ends themselves are too close. */
  static int rank(int n) {
    double probability = Math.pow(0.5, n);
    double below = 0;
    int rank = 0;
    while (below + probability <= BEYOND) {
      below += probability;
      probability = probability * (n - rank) / (rank + 1);
      rank++;
    }
    return rank;
  }
}
