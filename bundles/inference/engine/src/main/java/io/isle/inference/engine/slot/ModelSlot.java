package io.isle.inference.engine.slot;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.store.SlotStore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The place of one decision's models. Proofs run under its lock; scoring then skips a round.
 * Thread-safe.
 */
public final class ModelSlot {
  private final String name;
  private final MonotonicClock clock;
  private final SlotEvents events;
  private final ReentrantLock lock = new ReentrantLock();
  private final SlotModels models;
  private final Guard guard;
  private final Seat seat;
  private EngineSettings engine;
  private SlotSettings settings;
  private boolean changed;

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
    guard = Guard.of(name, engine, clock, this::told);
    guard.fallback().restore(models.stored().decisions());
    seat = new Seat(name, clock, events, models, guard);
    guard.follow(settings.mode());
  }

  private void told(FallbackEvent event) {
    changed = true;
    events.fallback(event);
    DriftNews.of(event, models.serving()).ifPresent(events::drift);
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
          DecisionSlot slot = seat.take(point, engine.calls());
          restore();
          return slot;
        });
  }

  /** Proves what is kept and not in memory. */
  void restore() {
    SlotProblems.restore(this, System.Logger.Level.WARNING);
  }

  /** Proves again what could not be loaded for a reason that may pass, unless the slot is busy. */
  public void retryProblem() {
    if (lock.tryLock()) {
      try {
        SlotProblems.retry(this);
      } finally {
        lock.unlock();
      }
    }
  }

  /** The owner has gone, or the engine goes: deciders answer by the rule. */
  public void detach() {
    run(
        () -> {
          seat.leave();
          models.forget();
          changed = true;
        });
  }

  /** Whether the owner is here. */
  public boolean isAttached() {
    return locked(() -> seat.slot() != null);
  }

  /** Other settings. */
  public void settings(EngineSettings nowEngine, SlotSettings nowSettings) {
    run(
        () -> {
          boolean otherMode = nowSettings.mode() != settings.mode();
          engine = nowEngine;
          settings = nowSettings;
          seat.limits(engine);
          if (otherMode) {
            guard.follow(settings.mode());
          }
          judge();
          apply();
        });
  }

  /** Keys may have gone or expired. */
  public void judge() {
    run(() -> SlotProblems.judge(this));
  }

  /** Scores decisions, unless the slot is busy; returns their number. */
  public int round(int most) {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      int taken = seat.round(most, ScoreRules.of(engine, settings));
      save();
      return taken;
    } finally {
      lock.unlock();
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
        () -> SlotReport.of(name, models, seat, settings, seat.slot() == null ? 0 : budgetNs()));
  }

  long budgetNs() {
    return settings.budgetNs(seat.point().spec().budgetNs());
  }

  SlotModels models() {
    return models;
  }

  Guard guard() {
    return guard;
  }

  /** The owner of the decision. */
  DecisionPoint point() {
    return seat.point();
  }

  /** The owner of the decision, unless a job uses the models. */
  DecisionPoint freePoint() {
    seat.requireFree();
    return seat.point();
  }

  /** Throws while a job uses the models. */
  void requireFree() {
    seat.requireFree();
  }

  boolean hasJob() {
    return seat.ofJob() != null;
  }

  /** Sets the model of a job; null for none. */
  void job(PlacedModel model) {
    seat.job(model, model == null ? null : Guard.of(name, engine, clock, events::fallback));
    apply();
  }

  /** Sets where decisions go besides; null for nowhere. */
  void capture(Capture to) {
    seat.capture(to);
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
    seat.apply(settings);
  }
}
