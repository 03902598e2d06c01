package io.isle.inference.engine.score;

import io.isle.api.base.MonotonicClock;

/**
 * The scores of the last 60 s or of the last 200 outcomes, whichever is more. Fixed memory; {@link
 * #add} allocates nothing. One thread at a time.
 */
public final class ScoreWindow {
  /** Outcomes that a window has at least, once there were so many. */
  public static final int OUTCOMES = 200;

  /** Score from which an answer counts as correct. */
  public static final int CORRECT = 500;

  /** The best score. */
  public static final int PERFECT = 1000;

  private static final int SECONDS = 60;
  private static final long SECOND_NS = 1_000_000_000L;

  private final MonotonicClock clock;
  private final long start;
  private final Tally[] seconds = new Tally[SECONDS];
  private final short[] model = new short[OUTCOMES];
  private final short[] heuristic = new short[OUTCOMES];
  private final Tally all = new Tally();

  /** An empty window. */
  public ScoreWindow(MonotonicClock clock) {
    this.clock = clock;
    start = clock.nanoTime();
    for (int i = 0; i < SECONDS; i++) {
      seconds[i] = new Tally();
    }
  }

  /**
   * Adds an outcome.
   *
   * @param modelScore 0 to 1000; a value out of range counts as the nearest bound
   * @param heuristicScore the same of the rule
   */
  public void add(int modelScore, int heuristicScore) {
    int ofModel = Math.clamp(modelScore, 0, PERFECT);
    int ofHeuristic = Math.clamp(heuristicScore, 0, PERFECT);
    int place = (int) (all.outcomes % OUTCOMES);
    model[place] = (short) ofModel;
    heuristic[place] = (short) ofHeuristic;
    all.add(ofModel, ofHeuristic);
    long second = second();
    Tally tally = seconds[(int) (second % SECONDS)];
    if (tally.second != second) {
      tally.begin(second);
    }
    tally.add(ofModel, ofHeuristic);
  }

  /** The window now. */
  public Score score() {
    Score recent = Score.NONE;
    long now = second();
    for (Tally tally : seconds) {
      if (now - tally.second < SECONDS) {
        recent = recent.plus(tally.score());
      }
    }
    return recent.outcomes() >= OUTCOMES ? recent : last();
  }

  /** All outcomes since the beginning. */
  public Score total() {
    return all.score();
  }

  private Score last() {
    Tally tally = new Tally();
    for (int i = 0; i < Math.min(all.outcomes, OUTCOMES); i++) {
      tally.add(model[i], heuristic[i]);
    }
    return tally.score();
  }

  private long second() {
    return (clock.nanoTime() - start) / SECOND_NS;
  }

  private static final class Tally {
    private long second;
    private long outcomes;
    private long correct;
    private long modelSum;
    private long heuristicSum;

    void begin(long at) {
      second = at;
      outcomes = 0;
      correct = 0;
      modelSum = 0;
      heuristicSum = 0;
    }

    void add(int ofModel, int ofHeuristic) {
      outcomes++;
      correct += ofModel >= CORRECT ? 1 : 0;
      modelSum += ofModel;
      heuristicSum += ofHeuristic;
    }

    Score score() {
      return new Score(outcomes, correct, modelSum, heuristicSum);
    }
  }
}
