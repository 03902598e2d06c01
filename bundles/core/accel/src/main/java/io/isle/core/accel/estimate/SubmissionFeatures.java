package io.isle.core.accel.estimate;

import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionSpec;
import java.util.List;

/** What the decision {@code submission_time} is about: indices of its features, and its spec. */
public final class SubmissionFeatures {
  /** 16 bits of the hash of program and entry; 0 without a dispatch. */
  public static final int PROGRAM = 0;

  public static final int DEVICE_CLASS = 1;
  public static final int UNITS = 2;
  public static final int OPERATIONS = 3;

  /** Submissions of the context that have not ended, with this one. */
  public static final int IN_FLIGHT = 4;

  public static final int BYTES = 5;
  public static final int ITEMS = 6;

  /** The product of all integers that are arguments. */
  public static final int SCALARS = 7;

  public static final int COPIED = 8;

  /** What the context's last submission took. */
  public static final int LAST = 9;

  /** What the context's submissions take in the mean. */
  public static final int MEAN = 10;

  /** What its last one with the same program and sizes took, else the mean. */
  public static final int SAME = 11;

  public static final int COUNT = 12;

  /** The greatest answer: 16 times the logarithm of the longest charge. */
  public static final int MOST = 40 * Log2.PARTS;

  private static final int MOST_LOG = (Long.SIZE - 1) * Log2.PARTS;
  private static final int MOST_COUNT = 65_535;
  private static final int MOST_CLASS = 255;
  private static final int MOST_UNITS = 65_536;

  /** The spec; the order of the features is that of their indices. */
  public static final DecisionSpec SPEC =
      new DecisionSpec(
          "submission_time",
          List.of(
              new DecisionFeature("program", "hash", 0, MOST_COUNT),
              new DecisionFeature("device_class", "number", 0, MOST_CLASS),
              new DecisionFeature("units", "count", 0, MOST_UNITS),
              new DecisionFeature("operations", "count", 0, MOST_COUNT),
              new DecisionFeature("in_flight", "count", 0, MOST_COUNT),
              new DecisionFeature("bytes", "log2_B/16", 0, MOST_LOG),
              new DecisionFeature("items", "log2/16", 0, MOST_LOG),
              new DecisionFeature("scalars", "log2/16", 0, MOST_LOG),
              new DecisionFeature("copied", "log2_B/16", 0, MOST_LOG),
              new DecisionFeature("last_time", "log2_ns/16", 0, MOST),
              new DecisionFeature("mean_time", "log2_ns/16", 0, MOST),
              new DecisionFeature("same_time", "log2_ns/16", 0, MOST)),
          List.of(new DecisionOutput("time", "log2_ns/16", 0, MOST, DecisionOutput.Outside.CLAMP)));

  private SubmissionFeatures() {}

  /** 16 times the logarithm of a time, within the range of answers. */
  public static int time(long ns) {
    return Math.min(Log2.of(ns), MOST);
  }

  /** At most what the feature of a count can be. */
  public static int count(long count) {
    return Math.clamp(count, 0, MOST_COUNT);
  }

  /** At most what the feature of a sum of logarithms can be. */
  public static int log(int log) {
    return Math.min(log, MOST_LOG);
  }
}
