package io.isle.inference.engine.distribution;

import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.util.List;
import java.util.Optional;

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
  private final FeatureSums sums;
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
    sums = new FeatureSums(trained, limits);
  }

  /**
   * Sees the features of a call.
   *
   * @param features at least as many as were trained
   * @return bits, 0 for nothing
   */
  public int observe(int[] features) {
    int bits = 0;
    if (sums.add(features)) {
      bits = OUT_OF_RANGE;
      outside++;
      outsideFeature = sums.stray(features);
      outsideValue = features[outsideFeature];
    }
    return ++calls == limits.calls() ? bits | endWindow(features) : bits;
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
        new InputDistributionAnomaly(feature, foundValue, sums.min(feature), sums.max(feature)));
  }

  private int endWindow(int[] features) {
    int off = sums.off();
    boolean strayed = limits.isTooMany(outside);
    int feature = strayed ? outsideFeature : off;
    int value = strayed ? outsideValue : features[Math.max(0, off)];
    sums.clear();
    calls = 0;
    outside = 0;
    normal = feature < 0;
    if (normal) {
      return 0;
    }
    foundFeature = feature;
    foundValue = value;
    anomalies = ++found;
    return ANOMALY;
  }
}
