package io.isle.inference.engine.distribution;

import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares the features of 256 calls after the other with those of the training: an anomaly is when
 * more than a quarter of the calls have a feature out of the trained range, when a feature's mean
 * is off by four standard deviations, or its variance 16 times as large. A standard deviation below
 * 1 counts as 1. Whole numbers only; {@link #observe} allocates nothing and is for one thread, the
 * rest is for any.
 */
public final class DistributionWatch {
  /** Calls that are looked at together. */
  public static final int CALLS = 256;

  /** More calls than this out of range are an anomaly. */
  public static final int OUTSIDE = CALLS / 4;

  /** Bit of {@link #observe}: a feature is out of the trained range. */
  public static final int OUT_OF_RANGE = 1;

  /** Bit of {@link #observe}: 256 calls have ended, with an anomaly. */
  public static final int ANOMALY = 2;

  /** Deviations with more bits are shifted to these, so that the squares of 256 calls fit. */
  private static final int STDDEV_BITS = 17;

  /** Differences are cut at this many deviations, where one alone is an anomaly already. */
  private static final long FARTHEST = 4 * CALLS;

  private final int[] min;
  private final int[] max;
  private final int[] mean;
  private final int[] low;
  private final int[] high;
  private final int[] shift;
  private final long[] stddev;
  // The features that are shifted: few, as the loops over all others are those for vectors.
  private final int[] wide;
  private final int[] differences;
  private final long[] sums;
  private final long[] squares;
  private int calls;
  private int outside;
  private int outsideFeature;
  private int outsideValue;
  private int foundFeature;
  private int foundValue;
  private long found;
  // Written after the values of the anomaly, read before them.
  private volatile long anomalies;
  private volatile boolean normal = true;

  /**
   * @param trained one a feature
   */
  public DistributionWatch(List<TrainedRange> trained) {
    int features = trained.size();
    min = new int[features];
    max = new int[features];
    mean = new int[features];
    low = new int[features];
    high = new int[features];
    shift = new int[features];
    stddev = new long[features];
    differences = new int[features];
    sums = new long[features];
    squares = new long[features];
    for (int i = 0; i < features; i++) {
      TrainedRange range = trained.get(i);
      long deviation = Math.max(1, range.stddev());
      min[i] = range.min();
      max[i] = range.max();
      shift[i] = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(deviation) - STDDEV_BITS);
      stddev[i] = deviation >> shift[i];
      mean[i] = range.mean() >> shift[i];
      low[i] = (int) Math.max(Integer.MIN_VALUE, mean[i] - FARTHEST * stddev[i]);
      high[i] = (int) Math.min(Integer.MAX_VALUE, mean[i] + FARTHEST * stddev[i]);
    }
    wide = IntStream.range(0, features).filter(i -> shift[i] > 0).toArray();
  }

  /**
   * Sees the features of a call.
   *
   * @param features at least as many as were trained
   * @return bits, 0 for nothing
   */
  public int observe(int[] features) {
    int bits = 0;
    if (strays(features)) {
      bits = OUT_OF_RANGE;
      outside++;
      rememberStray(features);
    }
    compare(features);
    add();
    return ++calls == CALLS ? bits | endWindow(features) : bits;
  }

  private boolean strays(int[] features) {
    int strayed = 0;
    for (int i = 0; i < min.length; i++) {
      int value = features[i];
      strayed |= value ^ Math.max(min[i], Math.min(max[i], value));
    }
    return strayed != 0;
  }

  private void compare(int[] features) {
    for (int i = 0; i < mean.length; i++) {
      differences[i] = Math.max(low[i], Math.min(high[i], features[i])) - mean[i];
    }
    for (int i : wide) {
      differences[i] = Math.max(low[i], Math.min(high[i], features[i] >> shift[i])) - mean[i];
    }
  }

  private void add() {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += differences[i];
    }
    for (int i = 0; i < squares.length; i++) {
      long difference = differences[i];
      squares[i] += difference * difference;
    }
  }

  /** Whether the last 256 calls were as in the training; true before there were so many. */
  public boolean isNormal() {
    return normal;
  }

  /** Number of anomalies so far. */
  public long anomalies() {
    return anomalies;
  }

  /** The newest anomaly; empty without any. */
  public Optional<InputDistributionAnomaly> anomaly() {
    if (anomalies == 0) {
      return Optional.empty();
    }
    int feature = foundFeature;
    return Optional.of(
        new InputDistributionAnomaly(feature, foundValue, min[feature], max[feature]));
  }

  private void rememberStray(int[] features) {
    for (int i = 0; i < min.length; i++) {
      if (features[i] < min[i] || features[i] > max[i]) {
        outsideFeature = i;
        outsideValue = features[i];
        return;
      }
    }
  }

  private int endWindow(int[] features) {
    int feature = outsideFeature;
    int value = outsideValue;
    boolean anomaly = outside > OUTSIDE;
    for (int i = 0; i < min.length; i++) {
      if (!anomaly && isOff(i)) {
        anomaly = true;
        feature = i;
        value = features[i];
      }
      sums[i] = 0;
      squares[i] = 0;
    }
    calls = 0;
    outside = 0;
    normal = !anomaly;
    if (!anomaly) {
      return 0;
    }
    foundFeature = feature;
    foundValue = value;
    anomalies = ++found;
    return ANOMALY;
  }

  private boolean isOff(int i) {
    long sum = sums[i];
    long deviation = stddev[i];
    if (Math.abs(sum) >= 4 * CALLS * deviation) {
      return true;
    }
    // the variance times 256: the squares less sum * sum / 256, which would not fit
    long whole = sum / CALLS;
    long rest = sum % CALLS;
    long off = CALLS * whole * whole + 2 * whole * rest + (rest * rest + CALLS - 1) / CALLS;
    return squares[i] - off >= 16 * CALLS * deviation * deviation;
  }
}
