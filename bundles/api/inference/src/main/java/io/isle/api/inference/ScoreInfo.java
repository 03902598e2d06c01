package io.isle.api.inference;

/**
 * How well a model decided lately, and the rule on the same decisions. Immutable.
 *
 * @param outcomes number of these decisions
 * @param accuracy mean score of the model, 0.0 to 1.0; 0 without outcomes
 * @param heuristicAccuracy mean score of the rule
 * @param driftDetected whether the model is worse than it may be
 */
public record ScoreInfo(
    long outcomes, double accuracy, double heuristicAccuracy, boolean driftDetected) {
  /** No outcomes yet. */
  public static final ScoreInfo NONE = new ScoreInfo(0, 0, 0, false);

  /** How much better the model is than the rule; below 0 when worse. */
  public double advantage() {
    return accuracy - heuristicAccuracy;
  }
}
