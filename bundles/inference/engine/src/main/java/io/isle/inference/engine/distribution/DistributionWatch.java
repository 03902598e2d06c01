package io.isle.inference.engine.distribution;

import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.util.List;
import java.util.Optional;

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

  /** Standard deviations are brought below this, so that sums of 256 calls fit. */
  private static final int STDDEV_BITS = 11;

  /** Differences are cut here: one alone of this size is an anomaly already. */
  private static final int FARTHEST = 1 << 22;

  private final int[] min;
  private final int[] max;
  private final int[] shift;
  private final int[] mean;
  private final int[] low;
  private final int[] high;
  private final int[] stddev;
  private final int[] sums;
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
    shift = new int[features];
    mean = new int[features];
    low = new int[features];
    high = new int[features];
    stddev = new int[features];
    sums = new int[features];
    squares = new long[features];
    for (int i = 0; i < features; i++) {
      TrainedRange range = trained.get(i);
      long deviation = Math.max(1, range.stddev());
      int bits = Long.SIZE - Long.numberOfLeadingZeros(deviation);
      min[i] = range.min();
      max[i] = range.max();
      shift[i] = Math.max(0, bits - STDDEV_BITS);
      mean[i] = range.mean() >> shift[i];
      low[i] = (int) Math.max(Integer.MIN_VALUE, (long) mean[i] - FARTHEST);
      high[i] = (int) Math.min(Integer.MAX_VALUE, (long) mean[i] + FARTHEST);
      stddev[i] = (int) (deviation >> shift[i]);
    }
  }

  /**
   * Sees the features of a call.
   *
   * @param features at least as many as were trained
   * @return bits, 0 for nothing
   */
  public int observe(int[] features) {
    int bits = 0;
    int strayed = 0;
    for (int i = 0; i < min.length; i++) {
      int value = features[i];
      strayed |= value ^ Math.max(min[i], Math.min(max[i], value));
      int off = Math.max(low[i], Math.min(high[i], value >> shift[i])) - mean[i];
      sums[i] += off;
      squares[i] += (long) off * off;
    }
    if (strayed != 0) {
      bits = OUT_OF_RANGE;
      outside++;
      rememberStray(features);
    }
    return ++calls == CALLS ? bits | endWindow(features) : bits;
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
    return Math.abs(sum) >= 4 * deviation * CALLS
        || CALLS * squares[i] - sum * sum >= 16 * deviation * deviation * CALLS * CALLS;
  }
}
