package io.isle.inference.engine.decide;

import io.isle.api.base.MonotonicClock;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.distribution.DistributionWatch;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;

/**
 * Calls of a model under all guards (infer_safe of 45.6): ranges of features, time, ranges of
 * outputs. Of one decider; allocates and throws nothing.
 */
final class GuardedInference {
  /** Runs of a call before its time counts as the model's own. */
  static final int RUNS = 4;

  private static final int TIMED_EACH = 16;
  private static final int ANSWERED = 0;
  private static final int ABSTAINED = 1;
  private static final int FAILED = 2;

  private final DecisionSlot slot;
  private final MonotonicClock clock;
  private final Runnable yieldHook;
  private final int stripe;
  private final ModelRun run = new ModelRun();
  private int calls;
  private long elapsedNs;
  private boolean yielded;

  /**
   * @param yieldHook runs in the calling thread between two layers of a net
   * @param stripe line of the counters
   */
  GuardedInference(DecisionSlot slot, MonotonicClock clock, Runnable yieldHook, int stripe) {
    this.slot = slot;
    this.clock = clock;
    this.yieldHook = yieldHook;
    this.stripe = stripe;
  }

  void requestYield() {
    run.requestYield();
  }

  /**
   * Lets the model that serves answer; false if the rule must decide.
   *
   * @param watch of this model; null if there is none yet
   */
  boolean infer(SlotState state, GroupUse use, DistributionWatch watch, int[] features, int[] out) {
    LoadedModel model = state.serving();
    boolean outside =
        watch == null
            ? model.shape().isOutside(features)
            : (watch.observe(features) & DistributionWatch.OUT_OF_RANGE) != 0;
    if (outside) {
      model.stats().add(stripe, Count.OUTSIDE, 1);
      return false;
    }
    return admitted(state, use, watch, features, out);
  }

  /** Both gates must let the call pass, each perhaps on trial. */
  private boolean admitted(
      SlotState state, GroupUse use, DistributionWatch watch, int[] features, int[] out) {
    Gate ofGroup = use.gate();
    int group = ofGroup.enter();
    if (group == Gate.CLOSED) {
      use.shutOut();
      return false;
    }
    Gate ofModel = state.gate();
    int model = ofModel.enter();
    if (model == Gate.CLOSED) {
      if (group == Gate.TRIAL) {
        ofGroup.giveBack();
      }
      use.shutOut();
      return false;
    }
    if ((group | model) == Gate.OPEN) {
      return guarded(state, use, features, out) == ANSWERED;
    }
    calls = -1;
    int result = guarded(state, use, features, out);
    boolean good = result != FAILED && (watch == null || watch.isNormal());
    if (group == Gate.TRIAL) {
      ofGroup.tried(good);
    }
    if (model == Gate.TRIAL) {
      ofModel.tried(good);
    }
    return result == ANSWERED;
  }

  private int guarded(SlotState state, GroupUse use, int[] features, int[] out) {
    LoadedModel model = state.serving();
    ModelStats stats = model.stats();
    int result;
    if (model.timedAlways() || (++calls & TIMED_EACH - 1) == 0) {
      result = timed(model.engine(), features, out);
      stats.add(stripe, Count.TIMED, 1);
      stats.add(stripe, Count.TIMED_NS, elapsedNs);
      if (elapsedNs > state.budgetNs()
          && !yielded
          && !repeatedWithin(state.budgetNs(), model, features, out)) {
        overBudget(state);
        return FAILED;
      }
    } else {
      result = finished(model.engine(), features, out);
      stats.add(stripe, Count.UNTIMED, 1);
    }
    if (result == ModelEngine.ABSTAINED) {
      stats.add(stripe, Count.ABSTAINED, 1);
      return ABSTAINED;
    }
    if (!model.shape().isValid(out)) {
      stats.add(stripe, Count.INVALID, 1);
      use.invalidOutput();
      return FAILED;
    }
    use.validOutput();
    return ANSWERED;
  }

  /** The gate outlives models: a late call of the previous one says nothing of the next. */
  private void overBudget(SlotState state) {
    if (slot.state().serving() == state.serving()) {
      state.gate().overBudget();
    }
  }

  /** A slow call may have been descheduled: then one of its repetitions is within the limit. */
  private boolean repeatedWithin(long budgetNs, LoadedModel model, int[] features, int[] out) {
    for (int again = 1; again < RUNS; again++) {
      int ignored = timed(model.engine(), features, out);
      if (elapsedNs <= budgetNs || yielded) {
        model.stats().add(stripe, Count.INTERRUPTED, 1);
        return true;
      }
    }
    return false;
  }

  private int timed(ModelEngine engine, int[] features, int[] out) {
    long start = clock.nanoTime();
    int result = finished(engine, features, out);
    elapsedNs = clock.nanoTime() - start;
    return result;
  }

  private int finished(ModelEngine engine, int[] features, int[] out) {
    yielded = false;
    int result = engine.run(features, out, run);
    while (result == ModelEngine.YIELDED) {
      yielded = true;
      run.resume();
      yieldHook.run();
      result = engine.run(features, out, run);
    }
    return result;
  }
}
