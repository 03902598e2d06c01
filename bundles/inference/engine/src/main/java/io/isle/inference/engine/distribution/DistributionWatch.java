package io.isle.inference.engine.distribution;

import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares the features of some calls after the other with those of the training: an anomaly is
 * when too many of the calls have a feature out of the trained range, when a feature's mean is off
 * by some standard deviations, or its variance some times as large. A standard deviation below 1
 * counts as 1. Whole numbers only; {@link #observe} allocates nothing and is for one thread, the
 * rest is for any.
 */
public final class DistributionWatch {
  /** Bit of {@link #observe}: a feature is out of the trained range. */
  public static final int OUT_OF_RANGE = 1;

  /** Bit of {@link #observe}: so many calls have ended, with an anomaly. */
  public static final int ANOMALY = 2;

  private final DistributionLimits limits;
  private final int window;
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
  public DistributionWatch(List<TrainedRange> trained, DistributionLimits limits) {
    this.limits = limits;
    window = limits.calls();
    int bits = limits.stddevBits();
    // differences are cut where one alone is an anomaly already
    long farthest = limits.farthest();
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
      shift[i] = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(deviation) - bits);
      stddev[i] = deviation >> shift[i];
      mean[i] = range.mean() >> shift[i];
      low[i] = (int) Math.max(Integer.MIN_VALUE, mean[i] - farthest * stddev[i]);
      high[i] = (int) Math.min(Integer.MAX_VALUE, mean[i] + farthest * stddev[i]);
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
    return ++calls == window ? bits | endWindow(features) : bits;
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

  /**
   * Whether the last calls that were looked at were as in the training; true before there were so
   * many.
   */
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
    boolean anomaly = limits.isTooMany(outside);
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
    if (Math.abs(sum) >= limits.stddevs() * window * deviation) {
      return true;
    }
    // the variance times the calls: the squares less sum * sum / calls, which would not fit
    long whole = sum / window;
    long rest = sum % window;
    long off = window * whole * whole + 2 * whole * rest + (rest * rest + window - 1) / window;
    return squares[i] - off >= limits.varianceTimes() * window * deviation * deviation;
  }
}
