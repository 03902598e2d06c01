package io.isle.api.inference;

import java.util.Objects;

/** Why the rule decides in the place of a model (accelerator framework, 45.6b.2). Immutable. */
public sealed interface FallbackReason {
  /** An administrator switched the model off. */
  record ModelDisabled() implements FallbackReason {}

  /** A call needed more time than the decision allows, although the proof says it cannot. */
  record CycleBudgetExceeded() implements FallbackReason {}

  /**
   * A device did not answer in time.
   *
   * @param timeoutUs the limit in microseconds
   */
  record HwTimeout(String device, long timeoutUs) implements FallbackReason {
    /** Checks the fields. */
    public HwTimeout {
      Objects.requireNonNull(device, "device");
    }
  }

  /** Too many invalid outputs in a row. */
  record OutputValidationFailed() implements FallbackReason {}

  /**
   * The features are others than those that the model was trained with.
   *
   * @param feature index of a feature
   * @param observed a value of it
   * @param min least value of the training
   * @param max greatest value of the training
   */
  record InputDistributionAnomaly(int feature, int observed, int min, int max)
      implements FallbackReason {}

  /**
   * A device reported an error.
   *
   * @param code as the device gave it
   */
  record DeviceError(String device, int code) implements FallbackReason {
    /** Checks the fields. */
    public DeviceError {
      Objects.requireNonNull(device, "device");
    }
  }

  /** The signature of the model does not hold, or no longer. */
  record SignatureFailed() implements FallbackReason {}

  /**
   * The model decides badly.
   *
   * @param accuracy mean score, 0 to 1000
   * @param heuristicAccuracy mean score of the rule on the same decisions
   */
  record Drift(int accuracy, int heuristicAccuracy) implements FallbackReason {}

  /** One word, as in logs and commands: {@code hw_timeout}. */
  default String text() {
    return switch (this) {
      case ModelDisabled r -> "model_disabled";
      case CycleBudgetExceeded r -> "cycle_budget_exceeded";
      case HwTimeout r -> "hw_timeout";
      case OutputValidationFailed r -> "output_validation_failed";
      case InputDistributionAnomaly r -> "input_anomaly";
      case DeviceError r -> "device_error";
      case SignatureFailed r -> "signature_failed";
      case Drift r -> "drift";
    };
  }

  /** The fields, {@code device=soft0 timeout_us=2000}; empty without any. */
  default String fields() {
    return switch (this) {
      case HwTimeout r -> "device=" + r.device() + " timeout_us=" + r.timeoutUs();
      case InputDistributionAnomaly r ->
          "feature="
              + r.feature()
              + " value="
              + r.observed()
              + " min="
              + r.min()
              + " max="
              + r.max();
      case DeviceError r -> "device=" + r.device() + " code=" + r.code();
      case Drift r ->
          "accuracy="
              + thousandths(r.accuracy())
              + " heuristic_accuracy="
              + thousandths(r.heuristicAccuracy());
      case ModelDisabled r -> "";
      case CycleBudgetExceeded r -> "";
      case OutputValidationFailed r -> "";
      case SignatureFailed r -> "";
    };
  }

  private static String thousandths(int value) {
    return value / 1000 + "." + Integer.toString(1000 + value % 1000).substring(1);
  }
}
