package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.api.inference.FallbackReason.SignatureFailed;

/** Which ways lead out of a fallback (accelerator framework, 45.6b.1 and 45.6b.4). */
final class FallbackRules {
  private FallbackRules() {}

  /** Whether successful retries in a row end it. */
  static boolean retries(FallbackReason reason) {
    return switch (reason) {
      case HwTimeout r -> true;
      case OutputValidationFailed r -> true;
      case InputDistributionAnomaly r -> true;
      case ModelDisabled r -> false;
      case CycleBudgetExceeded r -> false;
      case DeviceError r -> false;
      case SignatureFailed r -> false;
      case Drift r -> false;
    };
  }

  /** Whether it ends by no time and no call, but by an administrator. */
  static boolean needsAdmin(FallbackScope scope, FallbackReason reason) {
    // The model is scored on, so a group whose work has become foreseeable again gets it back.
    return !retries(reason) && !(reason instanceof Drift && scope.isGroup());
  }

  /** Whether another model has it no longer. */
  static boolean endsWithModel(FallbackReason reason) {
    return switch (reason) {
      case OutputValidationFailed r -> true;
      case InputDistributionAnomaly r -> true;
      case CycleBudgetExceeded r -> true;
      case SignatureFailed r -> true;
      case Drift r -> true;
      case ModelDisabled r -> false;
      case HwTimeout r -> false;
      case DeviceError r -> false;
    };
  }

  /** Whether it comes from the features and outcomes of a group, who shape them as they like. */
  static boolean isOfData(FallbackReason reason) {
    return reason instanceof OutputValidationFailed
        || reason instanceof InputDistributionAnomaly
        || reason instanceof Drift;
  }

  /** A reason takes the place of one of a lower rank: its way out is the harder one. */
  static int rank(FallbackReason reason) {
    return switch (reason) {
      case HwTimeout r -> 0;
      case OutputValidationFailed r -> 0;
      case InputDistributionAnomaly r -> 0;
      case Drift r -> 1;
      case DeviceError r -> 2;
      case CycleBudgetExceeded r -> 3;
      case SignatureFailed r -> 4;
      case ModelDisabled r -> 5;
    };
  }
}
