package io.isle.inference.engine.score;

/**
 * What a score is made of: the outcomes of the last seconds, or the last outcomes, whichever are
 * more.
 *
 * @param seconds how long an outcome counts
 * @param outcomes how many of the last ones count, however old they are
 * @param correct score from which an answer counts as correct, 1 to 1000
 */
public record WindowLimits(int seconds, int outcomes, int correct) {
  /** 60 s, 200 outcomes, 500. */
  public static final WindowLimits DEFAULT = new WindowLimits(60, 200, 500);

  /** Checks the ranges. */
  public WindowLimits {
    if (seconds < 1 || outcomes < 1) {
      throw new IllegalArgumentException("a window without seconds or outcomes");
    }
    if (correct < 1 || correct > ScoreWindow.PERFECT) {
      throw new IllegalArgumentException(
          "correct is " + correct + ", not 1 to " + ScoreWindow.PERFECT);
    }
  }
}
