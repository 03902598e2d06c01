package io.isle.inference.engine.store;

import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import io.isle.inference.engine.fallback.FallbackScope;
import io.isle.inference.engine.fallback.FallbackStep;
import io.isle.inference.engine.fallback.SavedFallback;
import java.util.Locale;
import java.util.Optional;

/** The text form of a fallback: words in a fixed order, {@code -} for none. Pure functions. */
final class FallbackText {
  private static final String NONE = "-";
  private static final int WORDS = 8;

  private FallbackText() {}

  static String of(SavedFallback one) {
    return String.join(
        " ",
        orNone(one.scope().group()),
        orNone(one.scope().device()),
        one.off() ? "off" : "on",
        one.held() ? "held" : "free",
        one.step().text(),
        Long.toString(one.ageNs()),
        Long.toString(one.escalatingNs()),
        one.fault().map(FallbackText::reason).orElse(NONE));
  }

  private static String reason(FallbackReason reason) {
    return switch (reason) {
      case InputDistributionAnomaly r ->
          "%s %d %d %d %d".formatted(r.text(), r.feature(), r.observed(), r.min(), r.max());
      case Drift r -> "%s %d %d".formatted(r.text(), r.accuracy(), r.heuristicAccuracy());
      case HwTimeout r -> "%s %s %d".formatted(r.text(), r.device(), r.timeoutUs());
      case DeviceError r -> "%s %s %d".formatted(r.text(), r.device(), r.code());
      case ModelDisabled r -> r.text();
      case CycleBudgetExceeded r -> r.text();
      case OutputValidationFailed r -> r.text();
      case SignatureFailed r -> r.text();
    };
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException naming the word that is wrong
   */
  static SavedFallback parse(String model, String text) {
    String[] words = text.split(" ", WORDS);
    if (words.length < WORDS) {
      throw new IllegalArgumentException(words.length + " words, fewer than " + WORDS);
    }
    return new SavedFallback(
        new FallbackScope(model, orEmpty(words[0]), orEmpty(words[1])),
        flag(words[2], "off", "on"),
        words[7].equals(NONE) ? Optional.empty() : Optional.of(reason(words[7].split(" "))),
        Long.parseLong(words[5]),
        Long.parseLong(words[6]),
        FallbackStep.valueOf(words[4].toUpperCase(Locale.ROOT)),
        flag(words[3], "held", "free"));
  }

  private static FallbackReason reason(String[] words) {
    return switch (words[0]) {
      case "model_disabled" -> new ModelDisabled();
      case "cycle_budget_exceeded" -> new CycleBudgetExceeded();
      case "output_validation_failed" -> new OutputValidationFailed();
      case "signature_failed" -> new SignatureFailed();
      case "hw_timeout" -> new HwTimeout(words[1], Long.parseLong(words[2]));
      case "device_error" -> new DeviceError(words[1], Integer.parseInt(words[2]));
      case "drift" -> new Drift(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      case "input_anomaly" ->
          new InputDistributionAnomaly(
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              Integer.parseInt(words[3]),
              Integer.parseInt(words[4]));
      default -> throw new IllegalArgumentException("'" + words[0] + "' is no reason");
    };
  }

  private static boolean flag(String word, String yes, String no) {
    if (!word.equals(yes) && !word.equals(no)) {
      throw new IllegalArgumentException("'" + word + "' is not " + yes + " or " + no);
    }
    return word.equals(yes);
  }

  private static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  private static String orEmpty(String word) {
    return word.equals(NONE) ? "" : word;
  }
}
