package io.isle.inference.engine.distribution;

/**
 * What a feature was like in the training.
 *
 * @param min least value
 * @param max greatest value
 * @param mean mean value
 * @param stddev standard deviation, 0 to 4294967295
 */
public record TrainedRange(int min, int max, int mean, long stddev) {
  private static final long MOST = 0xFFFF_FFFFL;

  /** Checks the order and the range. */
  public TrainedRange {
    if (min > mean || mean > max) {
      throw new IllegalArgumentException(
          "the mean " + mean + " is not between min " + min + " and max " + max);
    }
    if (stddev < 0 || stddev > MOST) {
      throw new IllegalArgumentException("the stddev is " + stddev + ", not 0 to " + MOST);
    }
  }
}
