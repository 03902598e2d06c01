package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.DecisionRecord;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.Mode;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.score.Score;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.store.SlotStore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The place of one decision's models. Proofs run under its lock; scoring then skips a round.
 * Thread-safe.
 */
public final class ModelSlot {
  private static final System.Logger LOG = System.getLogger(ModelSlot.class.getName());
  private static final BiConsumer<String, DecisionRecord> NOBODY = (group, record) -> {};

  private final String name;
  private final MonotonicClock clock;
  private final SlotEvents events;
  private final ReentrantLock lock = new ReentrantLock();
  private final SlotModels models;
  private final Guard guard;
  private EngineSettings engine;
  private SlotSettings settings;
  private DecisionSlot slot;
  private SlotScores scores;

  /** The model of a job and its own fallbacks; null without one. */
  private PlacedModel ofJob;

  private Guard jobGuard;
  private Capture capture;
  private boolean changed;
  private boolean failed;

  /** Reads what is kept. */
  public ModelSlot(
      String name,
      SlotStore store,
      ModelLoader loader,
      MonotonicClock clock,
      SlotEvents events,
      EngineSettings engine,
      SlotSettings settings) {
    this.name = name;
    this.clock = clock;
    this.events = events;
    this.engine = engine;
    this.settings = settings;
    models = new SlotModels(name, store, loader, clock);
    guard = Guard.of(name, engine.times(), clock, this::told);
    guard.fallback().restore(models.stored().decisions());
    followMode();
  }

  private void told(FallbackEvent event) {
    changed = true;
    events.fallback(event);
    PlacedModel model = models.serving();
    if (event.type() == FallbackEvent.Type.ENTERED
        && event.group().isEmpty()
        && event.reason() instanceof FallbackReason.Drift
        && model != null) {
      Score score = model.score();
      events.drift(
          new DriftEvent(
              event.timestampNs(),
              name,
              "",
              true,
              score.accuracy(),
              score.heuristicAccuracy(),
              score.outcomes()));
    }
  }

  private void followMode() {
    boolean off =
        guard.fallback().state().reason().orElse(null) instanceof FallbackReason.ModelDisabled;
    if (settings.mode() == Mode.OFF) {
      guard.fallback().disable();
    } else if (off) {
      guard.fallback().reset();
    }
  }

  <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      T result = work.get();
      save();
      return result;
    } finally {
      lock.unlock();
    }
  }

  void run(Runnable work) {
    String ignored =
        locked(
            () -> {
              work.run();
              return name;
            });
  }

  /** Name of the decision. */
  public String name() {
    return name;
  }

  /** The owner of the decision came: models are proven and put in place. */
  public DecisionSlot attach(DecisionPoint point) {
    return locked(
        () -> {
          slot = new DecisionSlot(point, guard.gates(), clock);
          scores = new SlotScores(slot, clock, events);
          restore();
          return slot;
        });
  }

  /** Proves what is kept and not in memory. */
  void restore() {
    models.restore(point(), budgetNs());
    if (models.signatureFailed()) {
      guard.fallback().enter(new FallbackReason.SignatureFailed());
    }
    apply();
  }

  /** Proves again what could not be loaded for a reason that may pass. */
  public void retryProblem() {
    if (lock.tryLock()) {
      try {
        if (slot != null && !models.problem().isEmpty() && !models.signatureFailed()) {
          restore();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The owner has gone, or the engine goes: deciders answer by the rule. */
  public void detach() {
    run(
        () -> {
          if (slot != null) {
            slot.close();
          }
          slot = null;
          scores = null;
          ofJob = null;
          jobGuard = null;
          models.forget();
          changed = true;
        });
  }

  /** Whether the owner is here. */
  public boolean isAttached() {
    return locked(() -> slot != null);
  }

  /** Other settings. */
  public void settings(EngineSettings nowEngine, SlotSettings nowSettings) {
    run(
        () -> {
          boolean otherMode = nowSettings.mode() != settings.mode();
          engine = nowEngine;
          settings = nowSettings;
          guard.fallback().times(engine.times());
          if (otherMode) {
            followMode();
          }
          judge();
          apply();
        });
  }

  /** Keys may have gone or expired. */
  public void judge() {
    run(
        () -> {
          if (models.judge()) {
            if (models.signatureFailed()) {
              guard.fallback().enter(new FallbackReason.SignatureFailed());
            }
            apply();
          }
        });
  }

  /** Scores decisions, unless the slot is busy; returns their number. */
  public int round(int most) {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      Guard acting = acting();
      acting.hear();
      int taken = slot == null ? 0 : scored(most, acting);
      acting.fallback().tick();
      save();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private int scored(int most, Guard acting) {
    try {
      return scores.round(
          most,
          ofJob == null ? models.serving() : ofJob,
          ofJob == null ? models.shadow() : null,
          acting.fallback(),
          new SlotScores.Rules(engine.drift(settings), settings.autoDisable()),
          capture == null ? NOBODY : capture::offer);
    } catch (RuntimeException e) {
      if (!failed) {
        failed = true;
        LOG.log(System.Logger.Level.ERROR, "the owner of the decision " + name + " fails", e);
      }
      return 0;
    }
  }

  private void save() {
    if (changed) {
      changed = false;
      models.decided(guard.fallback().save());
    }
  }

  /** What it is like. */
  public SlotInfo info() {
    return locked(
        () ->
            SlotReport.of(
                name,
                models,
                ofJob,
                acting().fallback(),
                settings,
                slot,
                slot == null ? 0 : budgetNs()));
  }

  long budgetNs() {
    return settings.budgetNs(slot.spec().budgetNs());
  }

  SlotModels models() {
    return models;
  }

  Guard guard() {
    return guard;
  }

  private Guard acting() {
    return ofJob == null ? guard : jobGuard;
  }

  /** The owner of the decision. */
  DecisionPoint point() {
    if (slot == null) {
      throw new InferenceException(
          Errno.ENOENT, "the owner of the decision " + name + " is not running");
    }
    return slot.point();
  }

  /** The owner of the decision, unless a job uses the models. */
  DecisionPoint freePoint() {
    if (ofJob != null) {
      throw new InferenceException(Errno.EBUSY, "a job uses the models of " + name);
    }
    return point();
  }

  boolean hasJob() {
    return ofJob != null;
  }

  /** Sets the model of a job; null for none. */
  void job(PlacedModel model) {
    ofJob = model;
    jobGuard = model == null ? null : Guard.of(name, engine.times(), clock, events::fallback);
    apply();
  }

  /** Sets where decisions go besides; null for nowhere. */
  void capture(Capture to) {
    if (to != null && capture != null) {
      throw new InferenceException(Errno.EBUSY, "decisions of " + name + " are captured already");
    }
    capture = to;
    apply();
  }

  /** What is kept of fallbacks is no longer right. */
  void noteChange() {
    changed = true;
  }

  /** Another model serves. */
  void replaced() {
    apply();
    guard.modelReplaced();
    changed = true;
  }

  /** Puts in place what is decided. */
  void apply() {
    if (slot == null) {
      return;
    }
    boolean own = ofJob == null;
    slot.guardBy(acting().gates());
    slot.set(
        slot.state()
            .with(
                loaded(own ? models.serving() : ofJob),
                loaded(own ? models.shadow() : null),
                loaded(own ? models.previous() : null))
            .with(own ? settings.mode() : Mode.ACTIVE, budgetNs())
            .keeping(capture != null));
  }

  private static LoadedModel loaded(PlacedModel model) {
    return model == null ? null : model.loaded();
  }
}
