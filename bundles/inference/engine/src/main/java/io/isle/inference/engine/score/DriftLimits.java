package io.isle.inference.engine.score;

/**
 * From when on a model decides badly.
 *
 * @param accuracyThreshold least accuracy, 0.0 to 1.0
 * @param minAdvantage least advantage over the rule, -1.0 to 1.0
 * @param lookNs time between two looks
 * @param looks bad looks in a row that are a drift, and good looks in a row that end one
 * @param outcomes outcomes without which a look says nothing
 */
public record DriftLimits(
    double accuracyThreshold, double minAdvantage, long lookNs, int looks, int outcomes) {
  /** 0.60, -0.05, 10 s, three, 200. */
  public static final DriftLimits DEFAULT = new DriftLimits(0.60, -0.05, 10_000_000_000L, 3, 200);

  /** Checks the ranges. */
  public DriftLimits {
    within("accuracy_threshold", accuracyThreshold, 0);
    within("min_advantage", minAdvantage, -1);
    if (lookNs < 1 || looks < 1 || outcomes < 1) {
      throw new IllegalArgumentException("looks: fewer than one, or no time or outcome for them");
    }
  }

  /** Whether a score is worse than it may be. */
  boolean isBad(Score score) {
    return score.accuracy() < accuracyThreshold || score.advantage() < minAdvantage;
  }

  private static void within(String what, double value, double least) {
    if (!(value >= least && value <= 1)) {
      throw new IllegalArgumentException(what + " is " + value + ", not " + least + " to 1");
    }
  }
}
