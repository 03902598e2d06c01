package io.isle.inference.heuristics;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.inference.CheckedDecisions;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A decision point with a rule and a check. The check holds an answer within what the features
 * permit, whoever gave it: a rule is a way to choose, never a way past a check (accelerator
 * framework, 45.6b.6).
 */
abstract class CheckedPoint implements DecisionPoint, CheckedDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(CheckedPoint.class);

  /** Less than an engine that goes waits for its points. */
  private static final long PATIENCE_NS = 500_000_000;

  private final DecisionSpec spec;
  private final Set<CheckedDecider> open = new HashSet<>();
  private Deciders deciders;

  CheckedPoint(DecisionSpec spec) {
    this.spec = spec;
  }

  /** Chooses. Pure, for any thread; the check follows. */
  abstract void choose(int[] features, int[] out);

  /** Holds an answer within what the features permit. Pure, for any thread. */
  abstract void check(int[] features, int[] out);

  @Override
  public final DecisionSpec spec() {
    return spec;
  }

  @Override
  public final void heuristic(int[] features, int[] out) {
    choose(features, out);
    check(features, out);
  }

  @Override
  public final synchronized void bind(Deciders engine) {
    deciders = engine;
    open.forEach(this::attach);
  }

  @Override
  public final void unbind() {
    unbind(PATIENCE_NS);
  }

  /**
   * As {@link #unbind()}, with another bound.
   *
   * @param patienceNs longest wait for calls of the engine's deciders
   */
  final synchronized void unbind(long patienceNs) {
    deciders = null;
    long end = System.nanoTime() + patienceNs;
    open.forEach(decider -> decider.detach(end));
  }

  @Override
  public final synchronized Decider open(String group, int outstanding, Runnable yieldHook) {
    if (!GroupNames.isName(group)) {
      throw refused("group: '" + group + "' does not match " + GroupNames.RULE);
    }
    if (outstanding < 1 || outstanding > Deciders.OUTSTANDING) {
      throw refused("outstanding is " + outstanding + ", not 1 to " + Deciders.OUTSTANDING);
    }
    CheckedDecider decider = new CheckedDecider(this, group, outstanding, yieldHook);
    if (deciders != null) {
      attach(decider);
    }
    open.add(decider);
    return decider;
  }

  synchronized void forget(CheckedDecider decider) {
    open.remove(decider);
  }

  private void attach(CheckedDecider decider) {
    try {
      decider.attach(deciders.open(decider.group(), decider.outstanding(), decider.yieldHook()));
    } catch (InferenceException e) {
      LOG.warn("{}: the rule decides for {}: {}", spec.name(), decider.group(), e.getMessage());
    }
  }

  private static InferenceException refused(String why) {
    return new InferenceException(Errno.EINVAL, why);
  }

  /** A count or an amount from 0. */
  static DecisionFeature upTo(String name, String unit, int most) {
    return new DecisionFeature(name, unit, 0, most);
  }

  /** A value without a sign of its own, such as a place. */
  static DecisionFeature within(String name, String unit, int least, int most) {
    return new DecisionFeature(name, unit, least, most);
  }
}
