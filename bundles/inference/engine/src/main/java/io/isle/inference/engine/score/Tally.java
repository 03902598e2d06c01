package io.isle.inference.engine.score;

/** Adds scores up. */
final class Tally {
  private long second;
  private long outcomes;
  private long correct;
  private long modelSum;
  private long heuristicSum;

  /** Begins anew. */
  void begin(long at) {
    second = at;
    outcomes = 0;
    correct = 0;
    modelSum = 0;
    heuristicSum = 0;
  }

  void add(int ofModel, int ofHeuristic, int correctFrom) {
    outcomes++;
    correct += ofModel >= correctFrom ? 1 : 0;
    modelSum += ofModel;
    heuristicSum += ofHeuristic;
  }

  /** The second that it began in. */
  long second() {
    return second;
  }

  boolean isUsed() {
    return outcomes > 0;
  }

  Score score() {
    return new Score(outcomes, correct, modelSum, heuristicSum);
  }
}
