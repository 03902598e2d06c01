package io.isle.lib.model;

/**
 * Computes the answers of one model. Immutable, for any number of threads, each with a {@link
 * ModelRun} of its own. Allocates nothing, throws nothing, and ends within the model's bound.
 */
public interface ModelEngine {
  /** The answer is complete. */
  int DONE = 0;

  /** The model has no answer for these features. */
  int ABSTAINED = 1;

  /** A yield was requested between two layers; the next call with the same arguments goes on. */
  int YIELDED = 2;

  /**
   * Computes an answer.
   *
   * @param features one value a feature; more than the model's are ignored
   * @param out filled with one value an output if the answer is complete, else undefined
   * @param run memory of the calling thread
   * @return {@link #DONE}, {@link #ABSTAINED} or {@link #YIELDED}
   */
  int run(int[] features, int[] out, ModelRun run);
}
