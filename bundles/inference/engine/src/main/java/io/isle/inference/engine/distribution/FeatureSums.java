package io.isle.inference.engine.distribution;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums of the differences between the features of some calls and their means in the training, and
 * of the squares of these differences. The loops are those for vectors. One thread at a time;
 * {@link #add} allocates nothing.
 */
final class FeatureSums {
  private final DistributionLimits limits;
  private final int[] min;
  private final int[] max;
  private final int[] mean;
  private final int[] low;
  private final int[] high;
  private final int[] shift;
  private final long[] stddev;
  private final long[] sums;
  private final long[] squares;
  private final int[] differences;
  // The features that are shifted, few as a rule.
  private final int[] wide;
  // Whether no difference of a value in the trained range is cut or shifted.
  private final boolean near;
  // Where the trained ranges are narrow: the same sums of the values held to them.
  private final boolean narrow;
  private final int[] narrowSums;
  private final int[] narrowSquares;

  /**
   * @param trained one a feature
   */
  FeatureSums(List<TrainedRange> trained, DistributionLimits limits) {
    this.limits = limits;
    int features = trained.size();
    min = new int[features];
    max = new int[features];
    mean = new int[features];
    low = new int[features];
    high = new int[features];
    shift = new int[features];
    stddev = new long[features];
    sums = new long[features];
    squares = new long[features];
    differences = new int[features];
    narrowSums = new int[features];
    narrowSquares = new int[features];
    for (int i = 0; i < features; i++) {
      set(i, trained.get(i));
    }
    wide = IntStream.range(0, features).filter(i -> shift[i] > 0).toArray();
    near = IntStream.range(0, features).allMatch(this::isNear);
    narrow = near && IntStream.range(0, features).allMatch(this::isNarrow);
  }

  private void set(int i, TrainedRange range) {
    // differences are cut where one alone is an anomaly already
    long farthest = limits.farthest();
    long deviation = Math.max(1, range.stddev());
    min[i] = range.min();
    max[i] = range.max();
    shift[i] = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(deviation) - limits.stddevBits());
    stddev[i] = deviation >> shift[i];
    mean[i] = range.mean() >> shift[i];
    low[i] = (int) Math.max(Integer.MIN_VALUE, mean[i] - farthest * stddev[i]);
    high[i] = (int) Math.min(Integer.MAX_VALUE, mean[i] + farthest * stddev[i]);
  }

  private boolean isNear(int i) {
    return shift[i] == 0 && low[i] <= min[i] && max[i] <= high[i];
  }

  /** Whether sums of squares of values in the trained range fit in an int. */
  private boolean isNarrow(int i) {
    long most = Math.max((long) max[i] - mean[i], (long) mean[i] - min[i]);
    return most <= Short.MAX_VALUE && limits.calls() * most * most <= Integer.MAX_VALUE;
  }

  /**
   * Adds the features of a call.
   *
   * @return whether a feature is out of the trained range
   */
  boolean add(int[] features) {
    boolean strayed;
    if (narrow) {
      strayed = addNarrow(features);
      if (strayed) {
        addBeyond(features);
      }
      return strayed;
    }
    strayed = strays(features);
    if (near && !strayed) {
      addNear(features);
    } else {
      compare(features);
      addDifferences();
    }
    return strayed;
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

  private void addDifferences() {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += differences[i];
    }
    for (int i = 0; i < squares.length; i++) {
      long difference = differences[i];
      squares[i] += difference * difference;
    }
  }

  private void addNear(int[] features) {
    for (int i = 0; i < sums.length; i++) {
      long difference = (long) features[i] - mean[i];
      sums[i] += difference;
      squares[i] += difference * difference;
    }
  }

  private boolean addNarrow(int[] features) {
    int strayed = 0;
    for (int i = 0; i < narrowSums.length; i++) {
      int value = features[i];
      int held = Math.max(min[i], Math.min(max[i], value));
      strayed |= value ^ held;
      int difference = held - mean[i];
      narrowSums[i] += difference;
      narrowSquares[i] += difference * difference;
    }
    return strayed != 0;
  }

  /** What the narrow sums lack for values out of the trained range. */
  private void addBeyond(int[] features) {
    for (int i = 0; i < sums.length; i++) {
      long held = (long) Math.max(min[i], Math.min(max[i], features[i])) - mean[i];
      long difference = (long) Math.max(low[i], Math.min(high[i], features[i])) - mean[i];
      sums[i] += difference - held;
      squares[i] += difference * difference - held * held;
    }
  }

  /** Index of a feature out of the trained range; -1 if there is none. */
  int stray(int[] features) {
    for (int i = 0; i < min.length; i++) {
      if (features[i] < min[i] || features[i] > max[i]) {
        return i;
      }
    }
    return -1;
  }

  int min(int feature) {
    return min[feature];
  }

  int max(int feature) {
    return max[feature];
  }

  /** Index of the first feature whose mean or variance is off; -1 if there is none. */
  int off() {
    for (int i = 0; i < min.length; i++) {
      if (isOff(i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isOff(int i) {
    long window = limits.calls();
    long sum = sums[i] + narrowSums[i];
    long deviation = stddev[i];
    if (Math.abs(sum) >= limits.stddevs() * window * deviation) {
      return true;
    }
    // the variance times the calls: the squares less sum * sum / calls, which would not fit
    long whole = sum / window;
    long rest = sum % window;
    long less = window * whole * whole + 2 * whole * rest + (rest * rest + window - 1) / window;
    long all = squares[i] + narrowSquares[i];
    return all - less >= limits.varianceTimes() * window * deviation * deviation;
  }

  /** Begins again. */
  void clear() {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = 0;
      squares[i] = 0;
      narrowSums[i] = 0;
      narrowSquares[i] = 0;
    }
  }
}
