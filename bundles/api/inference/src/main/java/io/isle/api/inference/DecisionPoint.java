package io.isle.api.inference;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A decision that a model may take over: a service of its owner (accelerator framework, 45.5). The
 * engine of inference scores each model against {@link #heuristic} on the same decisions.
 */
@ConsumerType
public interface DecisionPoint {
  /** Features, outputs and time limit; constant. */
  DecisionSpec spec();

  /**
   * Decides by the rule. Pure and for any thread: allocates nothing, throws nothing, keeps nothing.
   *
   * @param features one value a feature, in the order of the spec; read only
   * @param out one value an output, filled in the order of the spec
   */
  void heuristic(int[] features, int[] out);

  /**
   * How good an answer was. Pure and for any thread, as {@link #heuristic}.
   *
   * @param out an answer, of the model or of the rule
   * @param actual the outcome, one value an output
   * @return 0 (useless) to 1000 (perfect); 500 and more counts as correct
   */
  int score(int[] features, int[] out, int[] actual);

  /**
   * The engine is there: the owner may open deciders until {@link #unbind}. Called by one thread at
   * a time, at most once between two calls of {@link #unbind}.
   */
  void bind(Deciders deciders);

  /**
   * The engine goes: on return the owner uses none of its deciders any more, and decides by the
   * rule. Returns within a second; deciders that are still open afterwards are closed by the engine
   * and answer by the rule.
   */
  void unbind();
}
