package io.isle.api.inference;

import java.util.Locale;
import java.util.Objects;

/**
 * One output of a decision.
 *
 * @param name {@code [a-z0-9_]{1,31}}, distinct within a decision
 * @param unit {@code [A-Za-z0-9_/%]{1,15}}
 * @param min least valid value
 * @param max greatest valid value, at least {@code min}
 * @param outside treatment of a model's value outside of this range
 */
public record DecisionOutput(String name, String unit, int min, int max, Outside outside) {
  /** Treatment of a value outside of the range. */
  public enum Outside {
    /** The nearest valid value takes its place. */
    CLAMP,
    /** The rule decides; 16 such answers in a row end the use of the model. */
    REJECT;

    /** Lower case, as in the text form of a spec. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks name, unit and range. */
  public DecisionOutput {
    DecisionSpec.check(name, unit, min, max);
    Objects.requireNonNull(outside, "outside");
  }
}
