package io.isle.api.inference;

import java.util.Objects;

/**
 * A model decides worse than it should, or does so no longer. Immutable.
 *
 * @param timestampNs time of {@link io.isle.api.base.MonotonicClock}
 * @param model name of the decision whose model it is
 * @param group the group of tenants whose decisions are meant; empty for all
 * @param detected false when the drift has ended
 * @param accuracy mean score of the model, 0.0 to 1.0
 * @param heuristicAccuracy mean score of the rule on the same decisions
 * @param outcomes number of these decisions
 */
public record DriftEvent(
    long timestampNs,
    String model,
    String group,
    boolean detected,
    double accuracy,
    double heuristicAccuracy,
    long outcomes) {
  /** Checks that nothing is missing. */
  public DriftEvent {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(group, "group");
  }

  /** How much better the model is than the rule. */
  public double advantage() {
    return accuracy - heuristicAccuracy;
  }
}
