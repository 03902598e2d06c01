package io.isle.inference.engine.distribution;

/**
 * From when on features are others than in the training.
 *
 * @param calls that are looked at together, 16 to 1024
 * @param outsidePercent more percent of the calls than this out of range are an anomaly, 0 to 99
 * @param stddevs standard deviations by which a mean is off, 1 to 16
 * @param varianceTimes how many times as large a variance is, 2 to 10000
 */
public record DistributionLimits(int calls, int outsidePercent, int stddevs, int varianceTimes) {
  /** 256 calls, 25 percent, 4 standard deviations, 16 times. */
  public static final DistributionLimits DEFAULT = new DistributionLimits(256, 25, 4, 16);

  private static final int MOST_BITS = 17;
  private static final int SQUARES_BITS = 62;

  /** Checks the ranges, outside of which sums could overflow. */
  public DistributionLimits {
    within("calls", calls, 16, 1024);
    within("outsidePercent", outsidePercent, 0, 99);
    within("stddevs", stddevs, 1, 16);
    within("varianceTimes", varianceTimes, 2, 10_000);
  }

  private static void within(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(what + " is " + value + ", not " + least + " to " + most);
    }
  }

  /** Whether so many calls out of range are too many. */
  boolean isTooMany(int outside) {
    return 100 * outside > outsidePercent * calls;
  }

  /** Deviations of one call that are an anomaly, whatever the other calls are. */
  long farthest() {
    double ofVariance = Math.sqrt((double) calls * (varianceTimes + stddevs * stddevs));
    return Math.max((long) stddevs * calls, (long) Math.ceil(ofVariance));
  }

  /** Bits of a deviation with which the squares of all calls, cut there, fit into a long. */
  int stddevBits() {
    return Math.min(MOST_BITS, (SQUARES_BITS - bits(calls) - 2 * bits(farthest())) / 2);
  }

  private static int bits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value - 1);
  }
}
