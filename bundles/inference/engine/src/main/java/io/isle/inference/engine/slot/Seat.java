package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.decide.CallLimits;
import io.isle.inference.engine.decide.DecisionRecord;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.Mode;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import java.util.function.BiConsumer;

/**
 * What deciders of a slot see while the owner of the decision is here: the slot's own models, or
 * that of a job. Under the slot's lock.
 */
final class Seat {
  private static final System.Logger LOG = System.getLogger(Seat.class.getName());
  private static final BiConsumer<String, DecisionRecord> NOBODY = (group, record) -> {};

  private final String name;
  private final MonotonicClock clock;
  private final SlotEvents events;
  private final SlotModels models;
  private final Guard guard;

  /** Null without the owner. */
  private DecisionSlot slot;

  private SlotScores scores;

  /** The model of a job and its own fallbacks; null without one. */
  private PlacedModel ofJob;

  private Guard jobGuard;
  private Capture capture;

  /** What deciders are guarded by. */
  private Guard inPlace;

  private boolean failed;

  Seat(String name, MonotonicClock clock, SlotEvents events, SlotModels models, Guard guard) {
    this.name = name;
    this.clock = clock;
    this.events = events;
    this.models = models;
    this.guard = guard;
  }

  DecisionSlot take(DecisionPoint point, CallLimits limits) {
    slot = new DecisionSlot(point, guard.gates(), clock);
    slot.limits(limits);
    scores = new SlotScores(slot, clock, events);
    inPlace = guard;
    return slot;
  }

  void leave() {
    if (slot != null) {
      slot.close();
    }
    slot = null;
    scores = null;
    ofJob = null;
    jobGuard = null;
  }

  /** Null without the owner of the decision. */
  DecisionSlot slot() {
    return slot;
  }

  DecisionPoint point() {
    if (slot == null) {
      throw new InferenceException(
          Errno.ENOENT, "the owner of the decision " + name + " is not running");
    }
    return slot.point();
  }

  void requireFree() {
    if (ofJob != null) {
      throw new InferenceException(Errno.EBUSY, "a job uses the models of " + name);
    }
  }

  /** Null without a job. */
  PlacedModel ofJob() {
    return ofJob;
  }

  void job(PlacedModel model, Guard guardOfJob) {
    ofJob = model;
    jobGuard = guardOfJob;
  }

  void capture(Capture to) {
    if (to != null && capture != null) {
      throw new InferenceException(Errno.EBUSY, "decisions of " + name + " are captured already");
    }
    capture = to;
  }

  /** What says now whether models may answer. */
  Guard acting() {
    return ofJob == null ? guard : jobGuard;
  }

  /** Other times and limits of calls and fallbacks. */
  void limits(EngineSettings settings) {
    if (slot != null) {
      slot.limits(settings.calls());
    }
    guard.limits(settings);
    if (jobGuard != null) {
      jobGuard.limits(settings);
    }
  }

  /** Puts in place what is decided. */
  void apply(SlotSettings settings) {
    if (slot == null) {
      return;
    }
    boolean own = ofJob == null;
    if (inPlace != acting()) {
      // no model answers behind the gates of another one, not for a moment
      slot.set(slot.state().with(null, null, null));
      slot.guardBy(acting().gates());
      inPlace = acting();
    }
    slot.set(
        slot.state()
            .with(
                loaded(own ? models.serving() : ofJob),
                loaded(own ? models.shadow() : null),
                loaded(own ? models.previous() : null))
            .with(own ? settings.mode() : Mode.ACTIVE, settings.budgetNs(slot.spec().budgetNs()))
            .keeping(capture != null));
  }

  private static LoadedModel loaded(PlacedModel model) {
    return model == null ? null : model.loaded();
  }

  /** Scores decisions, and does what is due; returns their number. */
  int round(int most, ScoreRules rules) {
    Guard acting = acting();
    acting.hear();
    int taken = scores == null ? 0 : scored(most, acting, rules);
    acting.fallback().tick();
    return taken;
  }

  private int scored(int most, Guard acting, ScoreRules rules) {
    try {
      return scores.round(
          most,
          ofJob == null ? models.serving() : ofJob,
          ofJob == null ? models.shadow() : null,
          acting.fallback(),
          rules,
          capture == null ? NOBODY : capture::offer);
    } catch (RuntimeException e) {
      if (!failed) {
        failed = true;
        LOG.log(System.Logger.Level.ERROR, "the owner of the decision " + name + " fails", e);
      }
      return 0;
    }
  }
}
