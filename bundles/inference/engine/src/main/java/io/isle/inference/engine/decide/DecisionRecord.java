package io.isle.inference.engine.decide;

/** A decision with its outcome, copied out of a ring. Of one thread, used again and again. */
public final class DecisionRecord {
  /** Input of the decision. */
  public final int[] features;

  /** What the decider answered. */
  public final int[] answer;

  /** How it went. */
  public final int[] actual;

  /** Whether a model gave the answer. */
  public boolean byModel;

  public DecisionRecord(int features, int outputs) {
    this.features = new int[features];
    answer = new int[outputs];
    actual = new int[outputs];
  }
}
