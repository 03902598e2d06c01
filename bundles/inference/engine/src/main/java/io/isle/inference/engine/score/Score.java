package io.isle.inference.engine.score;

/**
 * How well a model decided, and the rule on the same decisions. Immutable.
 *
 * @param outcomes number of decisions
 * @param correct those with a score of the model that counts as correct
 * @param modelSum sum of the model's scores, each 0 to 1000
 * @param heuristicSum sum of the rule's scores
 */
public record Score(long outcomes, long correct, long modelSum, long heuristicSum) {
  /** Nothing yet. */
  public static final Score NONE = new Score(0, 0, 0, 0);

  /** Mean score of the model, 0.0 to 1.0; 0 without outcomes. */
  public double accuracy() {
    return mean(modelSum);
  }

  /** Mean score of the rule. */
  public double heuristicAccuracy() {
    return mean(heuristicSum);
  }

  /** How much better the model is than the rule; below 0 when worse. */
  public double advantage() {
    return accuracy() - heuristicAccuracy();
  }

  /** Both together. */
  Score plus(Score other) {
    return new Score(
        outcomes + other.outcomes,
        correct + other.correct,
        modelSum + other.modelSum,
        heuristicSum + other.heuristicSum);
  }

  private double mean(long sum) {
    return outcomes == 0 ? 0 : sum / (1000.0 * outcomes);
  }
}
