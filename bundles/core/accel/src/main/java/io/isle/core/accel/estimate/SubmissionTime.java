package io.isle.core.accel.estimate;

import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The decision point {@code submission_time}: how long a submission takes. The rule is the mean of
 * the context. Each context has a decider while there is an engine. Thread-safe.
 */
public final class SubmissionTime implements DecisionPoint {
  private static final System.Logger LOG = System.getLogger(SubmissionTime.class.getName());

  /** Longest time that all contexts may take to let go of their deciders. */
  private static final long DRAIN_NS = 500_000_000;

  private static final int BEST = 1000;

  /** An answer is right within a fourth, 5 / 16 as a logarithm, and useless from a factor of 4. */
  private static final int RIGHT = 5;

  private static final int USELESS = 2 * Log2.PARTS;

  /** The contexts, each with the group whose history its submissions are. */
  private final Map<ContextEstimates, String> contexts = new ConcurrentHashMap<>();

  private volatile Deciders deciders;

  @Override
  public DecisionSpec spec() {
    return SubmissionFeatures.SPEC;
  }

  @Override
  public void heuristic(int[] features, int[] out) {
    out[0] = features[SubmissionFeatures.MEAN];
  }

  @Override
  public int score(int[] features, int[] out, int[] actual) {
    int off = Math.abs(out[0] - actual[0]);
    return Math.clamp((USELESS - off) * BEST / (USELESS - RIGHT), 0, BEST);
  }

  /** A context comes. */
  public void join(String group, ContextEstimates context) {
    contexts.put(context, group);
    open(context, group, deciders);
  }

  /** It has ended. */
  public void leave(ContextEstimates context) {
    var ignored = contexts.remove(context);
    context.end(System.nanoTime() + DRAIN_NS);
  }

  @Override
  public void bind(Deciders now) {
    deciders = now;
    contexts.forEach((context, group) -> open(context, group, now));
  }

  @Override
  public void unbind() {
    deciders = null;
    long deadline = System.nanoTime() + DRAIN_NS;
    contexts.keySet().forEach(context -> context.detach(deadline));
  }

  /** Without a lock, since it calls the engine. */
  private void open(ContextEstimates context, String group, Deciders first) {
    for (Deciders from = first; from != null; from = deciders) {
      Decider opened;
      try {
        opened = from.open(group, context.depth(), Thread::yield);
      } catch (InferenceException e) {
        LOG.log(System.Logger.Level.DEBUG, "no decider for a context: {0}", e.getMessage());
        return;
      }
      if (!context.attach(opened)) {
        opened.close();
        return;
      }
      if (deciders == from) {
        return;
      }
      // the engine went meanwhile, and may have looked before
      context.detach(System.nanoTime() + DRAIN_NS);
    }
  }
}
