package io.isle.inference.engine.score;

import io.isle.api.base.MonotonicClock;

/**
 * The scores of the last seconds or of the last outcomes, whichever are more. Fixed memory; {@link
 * #add} allocates nothing. One thread at a time.
 */
public final class ScoreWindow {
  /** The best score. */
  public static final int PERFECT = 1000;

  private static final long SECOND_NS = 1_000_000_000L;

  private final MonotonicClock clock;
  private final long start;
  private final Tally all = new Tally();
  private WindowLimits limits = WindowLimits.DEFAULT;
  private Tally[] seconds = empty(limits.seconds());
  private LastScores last = new LastScores(limits.outcomes());

  /** An empty window with the default limits. */
  public ScoreWindow(MonotonicClock clock) {
    this.clock = clock;
    start = clock.nanoTime();
  }

  private static Tally[] empty(int count) {
    Tally[] tallies = new Tally[count];
    for (int i = 0; i < count; i++) {
      tallies[i] = new Tally();
    }
    return tallies;
  }

  /** Other limits. A larger window has at first what the smaller one had. */
  public void limits(WindowLimits changed) {
    if (changed.seconds() != limits.seconds()) {
      resize(changed.seconds());
    }
    if (changed.outcomes() != limits.outcomes()) {
      last = last.resized(changed.outcomes());
    }
    limits = changed;
  }

  private void resize(int count) {
    Tally[] now = empty(count);
    long second = second();
    for (Tally tally : seconds) {
      if (tally.isUsed() && second - tally.second() < Math.min(count, seconds.length)) {
        now[(int) (tally.second() % count)] = tally;
      }
    }
    seconds = now;
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
    last.add(ofModel, ofHeuristic);
    all.add(ofModel, ofHeuristic, limits.correct());
    long second = second();
    Tally tally = seconds[(int) (second % seconds.length)];
    if (tally.second() != second) {
      tally.begin(second);
    }
    tally.add(ofModel, ofHeuristic, limits.correct());
  }

  /** The window now. */
  public Score score() {
    Score recent = Score.NONE;
    long now = second();
    for (Tally tally : seconds) {
      if (now - tally.second() < seconds.length) {
        recent = recent.plus(tally.score());
      }
    }
    return recent.outcomes() >= limits.outcomes() ? recent : last.score(limits.correct());
  }

  /** All outcomes since the beginning. */
  public Score total() {
    return all.score();
  }

  private long second() {
    return (clock.nanoTime() - start) / SECOND_NS;
  }
}
