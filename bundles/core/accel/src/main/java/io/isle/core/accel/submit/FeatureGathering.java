package io.isle.core.accel.submit;

import io.isle.api.driver.DeviceInfo;
import io.isle.core.accel.estimate.Log2;
import io.isle.core.accel.estimate.SubmissionFeatures;

/**
 * The features of the submission that is being written, for a model that estimates its time.
 * Gathers nothing while there is none. One thread; allocates nothing.
 */
final class FeatureGathering {
  private static final int PROGRAM_BITS = 0xffff;

  /** Tells programs of several dispatches from each other in any order. */
  private static final int NEXT_PROGRAM = 31;

  private final int[] features = new int[SubmissionFeatures.COUNT];
  private boolean on;
  private int program;
  private long bytes;
  private long items;
  private int scalars;
  private long copied;

  /** A submission begins. */
  void begin(boolean wanted) {
    on = wanted;
    program = 0;
    bytes = 0;
    items = 0;
    scalars = 0;
    copied = 0;
  }

  boolean isOn() {
    return on;
  }

  /** It uses so much of a buffer. */
  void use(long length) {
    if (on) {
      bytes = sum(bytes, length);
    }
  }

  /** It copies or fills so much. */
  void copy(long length) {
    if (on) {
      copied = sum(copied, length);
    }
  }

  /** It dispatches, with sizes of at least 1. */
  void dispatch(int hash, int x, int y, int z) {
    if (on) {
      program = program * NEXT_PROGRAM + hash & PROGRAM_BITS;
      long plane = (long) x * y;
      items = sum(items, Math.multiplyHigh(plane, z) == 0 ? plane * z : -1);
    }
  }

  /** It has an integer as an argument, of which only the size counts. */
  void integer(long value) {
    if (on) {
      scalars += Log2.of(Math.abs(value));
    }
  }

  /** Negative sums and parts are too large for a number. */
  private static long sum(long before, long more) {
    long sum = before + more;
    return more < 0 || sum < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * Completes the features but for those of earlier submissions.
   *
   * @param device that has the context; null while there is none
   * @param inFlight submissions of the context that have not ended, with this one
   */
  int[] finish(DeviceInfo device, int operations, long inFlight) {
    features[SubmissionFeatures.PROGRAM] = program;
    features[SubmissionFeatures.DEVICE_CLASS] = device == null ? 0 : device.deviceClass().code();
    features[SubmissionFeatures.UNITS] = device == null ? 0 : device.computeUnits();
    features[SubmissionFeatures.OPERATIONS] = SubmissionFeatures.count(operations);
    features[SubmissionFeatures.IN_FLIGHT] = SubmissionFeatures.count(inFlight);
    features[SubmissionFeatures.BYTES] = SubmissionFeatures.log(Log2.of(bytes));
    features[SubmissionFeatures.ITEMS] = SubmissionFeatures.log(Log2.of(items));
    features[SubmissionFeatures.SCALARS] = SubmissionFeatures.log(scalars);
    features[SubmissionFeatures.COPIED] = SubmissionFeatures.log(Log2.of(copied));
    return features;
  }
}
