package io.isle.inference.engine.decide;

import io.isle.api.base.MonotonicClock;
import io.isle.inference.engine.decide.Gate.Trip;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;

/**
 * Calls of a model under all guards (infer_safe of 45.6): ranges of features, time, ranges of
 * outputs. Of one decider; allocates and throws nothing.
 */
final class GuardedInference {
  /** Invalid outputs in a row that end the use of a model by a group. */
  static final int INVALID_IN_A_ROW = 16;

  /** Runs of a call before its time counts as the model's own. */
  static final int RUNS = 4;

  private static final int TIMED_EACH = 16;

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
  GuardedInference(MonotonicClock clock, Runnable yieldHook, int stripe) {
    this.clock = clock;
    this.yieldHook = yieldHook;
    this.stripe = stripe;
  }

  void requestYield() {
    run.requestYield();
  }

  /** Lets the model answer; false if the rule must decide. */
  boolean infer(LoadedModel model, GroupUse use, long budgetNs, int[] features, int[] out) {
    int outside = model.shape().outside(features);
    int gates = model.gate().state() | use.gate().state();
    if (gates == Gate.OPEN) {
      return guarded(model, use, budgetNs, outside, features, out);
    }
    return gates == Gate.TRIAL && tried(model, use, budgetNs, outside, features, out);
  }

  /** One call, which one or both of the gates have asked for. */
  private boolean tried(
      LoadedModel model, GroupUse use, long budgetNs, int outside, int[] features, int[] out) {
    boolean ofModel = model.gate().takeTrial();
    boolean ofGroup = use.gate().takeTrial();
    if (!ofModel && !ofGroup) {
      return false;
    }
    calls = -1;
    boolean good = guarded(model, use, budgetNs, outside, features, out);
    if (ofModel) {
      model.gate().trialEnds(good);
    }
    if (ofGroup) {
      use.gate().trialEnds(good);
    }
    return good;
  }

  private boolean guarded(
      LoadedModel model, GroupUse use, long budgetNs, int outside, int[] features, int[] out) {
    ModelStats stats = model.stats();
    if (outside >= 0) {
      stats.add(stripe, Count.OUTSIDE, 1);
      return false;
    }
    stats.add(stripe, Count.INVOCATIONS, 1);
    int result;
    if (model.timedAlways() || (++calls & TIMED_EACH - 1) == 0) {
      result = timed(model, features, out);
      stats.add(stripe, Count.TIMED, 1);
      stats.add(stripe, Count.TIMED_NS, elapsedNs);
      if (elapsedNs > budgetNs && !yielded && !repeatedWithin(model, budgetNs, features, out)) {
        model.gate().trip(Trip.OVER_TIME, -1, (int) Math.min(elapsedNs, Integer.MAX_VALUE));
        return false;
      }
    } else {
      result = finished(model.engine(), features, out);
    }
    if (result == ModelEngine.ABSTAINED) {
      stats.add(stripe, Count.ABSTAINED, 1);
      return false;
    }
    int invalid = model.shape().invalid(out);
    if (invalid >= 0) {
      stats.add(stripe, Count.INVALID, 1);
      use.invalidOutput(invalid, out[invalid], INVALID_IN_A_ROW);
      return false;
    }
    use.validOutput();
    return true;
  }

  /** A slow call may have been descheduled: then one of its repetitions is within the limit. */
  private boolean repeatedWithin(LoadedModel model, long budgetNs, int[] features, int[] out) {
    for (int again = 1; again < RUNS; again++) {
      int ignored = timed(model, features, out);
      if (elapsedNs <= budgetNs || yielded) {
        model.stats().add(stripe, Count.INTERRUPTED, 1);
        return true;
      }
    }
    return false;
  }

  private int timed(LoadedModel model, int[] features, int[] out) {
    long start = clock.nanoTime();
    int result = finished(model.engine(), features, out);
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
