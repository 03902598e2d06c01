package io.isle.inference.engine.fallback;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackEvent.Type;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The fallback of one scope: begins for a reason, is tried to be ended by retries where the reason
 * allows it, and escalates with time (accelerator framework, 45.6b). Acts on its gate and tells of
 * events, nothing else. One thread at a time.
 */
public final class FallbackMachine {
  /** Successful retries in a row that end a fallback. */
  public static final int SUCCESSES = 3;

  private final FallbackScope scope;
  private final MonotonicClock clock;
  private final Consumer<FallbackEvent> events;
  private FallbackGate gate;
  private FallbackTimes times;

  private boolean off;
  private FallbackReason fault;
  private long enteredAt;
  // The steps count from here: later than the beginning after a time that an administrator stopped.
  private long escalatesFrom;
  private long nextTrial;
  private long calls;
  private FallbackStep step = FallbackStep.NONE;
  private int successes;
  private boolean held;
  private boolean urgent;

  /**
   * The model decides until the first reason.
   *
   * @param gate where calls are held back
   * @param events gets each event
   */
  public FallbackMachine(
      FallbackScope scope,
      FallbackGate gate,
      FallbackTimes times,
      MonotonicClock clock,
      Consumer<FallbackEvent> events) {
    this.scope = scope;
    this.gate = gate;
    this.times = times;
    this.clock = clock;
    this.events = events;
  }

  /** Another gate takes the place of the one so far, such as that of another model. */
  public void gate(FallbackGate other) {
    gate = other;
    if (active()) {
      gate.close();
    } else {
      gate.open();
    }
  }

  /** Other times, also for a fallback that has begun. */
  public void times(FallbackTimes changed) {
    times = changed;
  }

  /**
   * Something went wrong. Nothing changes when the same or a graver reason is there already, but
   * retries in a row begin anew.
   *
   * @return whether the reason is new
   */
  public boolean enter(FallbackReason reason) {
    if (reason instanceof ModelDisabled) {
      return disable();
    }
    successes = 0;
    if (fault != null && FallbackRules.rank(reason) <= FallbackRules.rank(fault)) {
      return false;
    }
    boolean first = !active();
    boolean firstFault = fault == null;
    fault = reason;
    long now = clock.nanoTime();
    if (first) {
      begin(now);
    }
    if (firstFault) {
      escalatesFrom = now;
      nextTrial = now + times.retryNs();
    }
    gate.close();
    tell(Type.ENTERED, reason, now);
    return true;
  }

  /**
   * An administrator switches the model off, until {@link #reset}.
   *
   * @return whether it was on
   */
  public boolean disable() {
    if (off) {
      return false;
    }
    long now = clock.nanoTime();
    if (!active()) {
      begin(now);
    }
    off = true;
    gate.close();
    tell(Type.ENTERED, new ModelDisabled(), now);
    return true;
  }

  /**
   * An administrator lets the model decide again.
   *
   * @return false when it cannot, because only a model with a valid signature ends the fallback
   */
  public boolean reset() {
    boolean unsigned = fault instanceof SignatureFailed;
    if (!active()) {
      return true;
    }
    long now = clock.nanoTime();
    if (unsigned) {
      if (off) {
        off = false;
        escalatesFrom = now;
      }
      return false;
    }
    leave(Type.ADMIN_RESET, now);
    return true;
  }

  /**
   * No retries from now on, and no steps: an administrator wants it so.
   *
   * @return false when no fallback is there
   */
  public boolean hold() {
    if (!active()) {
      return false;
    }
    held = true;
    successes = 0;
    gate.close();
    return true;
  }

  /**
   * Retries with the next calls, without a time between them.
   *
   * @return false when no retry can end the fallback
   */
  public boolean retry() {
    if (!active() || off || step == FallbackStep.AUTO_DISABLED || !FallbackRules.retries(fault)) {
      return false;
    }
    long now = clock.nanoTime();
    release(now);
    urgent = true;
    successes = 0;
    nextTrial = now;
    trial(now);
    return true;
  }

  /** The scores of the group are good again: ends its drift. */
  public void driftEnded() {
    if (fault instanceof Drift && !state().adminNeeded() && !held) {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** Another model has taken the place: ends what was a fault of the old one. */
  public void modelReplaced() {
    if (fault == null || !FallbackRules.endsWithModel(fault)) {
      return;
    }
    long now = clock.nanoTime();
    if (off) {
      fault = null;
      step = FallbackStep.NONE;
    } else {
      leave(Type.RECOVERED, now);
    }
  }

  /** The device was reset or replaced: ends its error. */
  public void deviceReset() {
    if (fault instanceof DeviceError && !off) {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** The rule has decided this many calls more. */
  public void fallbackCalls(long more) {
    if (active()) {
      calls += more;
    }
  }

  /** The call that the gate allowed on trial has ended. */
  public void tried(boolean success) {
    if (fault == null) {
      return;
    }
    long now = clock.nanoTime();
    tell(Type.RECOVERY_ATTEMPT, fault, now);
    gate.close();
    successes = success ? successes + 1 : 0;
    urgent &= success;
    if (off || held || step == FallbackStep.AUTO_DISABLED || !FallbackRules.retries(fault)) {
      successes = 0;
    } else if (successes == SUCCESSES) {
      leave(Type.RECOVERED, now);
    } else {
      nextTrial = urgent ? now : now + times.retryNs();
    }
  }

  /** Does what is due; often, such as each 100 ms. */
  public void tick() {
    long now = clock.nanoTime();
    if (fault == null || off || held) {
      return;
    }
    escalate(now);
    trial(now);
  }

  /** Whether a fault of this kind is there, also while an administrator has switched it off. */
  boolean hasFault(Class<? extends FallbackReason> kind) {
    return kind.isInstance(fault);
  }

  /** The state now. */
  public FallbackState state() {
    boolean on = active();
    long now = clock.nanoTime();
    return new FallbackState(
        scope,
        Optional.ofNullable(reason()),
        on ? OptionalLong.of(enteredAt) : OptionalLong.empty(),
        on ? now - enteredAt : 0,
        calls,
        times.escalationThreshold(),
        step,
        successes,
        held,
        on
            && (off
                || step == FallbackStep.AUTO_DISABLED
                || FallbackRules.needsAdmin(scope, fault)));
  }

  /**
   * Goes on with what was before a restart, of which nobody is told again. Before the first call of
   * another method.
   */
  public void restore(SavedFallback saved) {
    long now = clock.nanoTime();
    off = saved.off();
    fault = saved.fault().orElse(null);
    enteredAt = now - saved.ageNs();
    escalatesFrom = now - saved.escalatingNs();
    nextTrial = now + times.retryNs();
    step = saved.step();
    held = saved.held();
    if (active()) {
      gate.close();
    }
  }

  /** What a restart needs; empty while the model decides. */
  public Optional<SavedFallback> save() {
    if (!active()) {
      return Optional.empty();
    }
    long now = clock.nanoTime();
    return Optional.of(
        new SavedFallback(
            scope,
            off,
            Optional.ofNullable(fault),
            now - enteredAt,
            fault == null ? 0 : now - escalatesFrom,
            step,
            held));
  }

  private boolean active() {
    return off || fault != null;
  }

  private FallbackReason reason() {
    return off ? new ModelDisabled() : fault;
  }

  private void begin(long now) {
    enteredAt = now;
    calls = 0;
  }

  private void leave(Type how, long now) {
    tell(how, reason(), now);
    off = false;
    fault = null;
    calls = 0;
    step = FallbackStep.NONE;
    successes = 0;
    held = false;
    urgent = false;
    gate.open();
  }

  private void release(long now) {
    if (held) {
      held = false;
      escalatesFrom = now;
      // A step that was not due while it was held is due again after its whole time.
      step = FallbackStep.NONE;
    }
  }

  private void trial(long now) {
    if (now - nextTrial >= 0
        && step != FallbackStep.AUTO_DISABLED
        && FallbackRules.retries(fault)) {
      // Should the call on trial never end, another one gets the trial after the same time.
      nextTrial = now + times.retryNs();
      gate.allowTrial();
    }
  }

  private void escalate(long now) {
    long lasted = now - escalatesFrom;
    if (lasted >= times.warningNs() || calls >= times.escalationThreshold()) {
      step(FallbackStep.WARNING, Type.ESCALATION_WARNING, now);
    }
    if (lasted >= times.escalationNs()) {
      step(FallbackStep.CRITICAL, Type.ESCALATION_CRITICAL, now);
    }
    if (lasted >= times.autoDisableNs()) {
      step(FallbackStep.AUTO_DISABLED, Type.AUTO_DISABLED, now);
    }
  }

  private void step(FallbackStep reached, Type event, long now) {
    if (step.compareTo(reached) >= 0) {
      return;
    }
    step = reached;
    if (reached == FallbackStep.AUTO_DISABLED) {
      gate.close();
      successes = 0;
    }
    tell(event, fault, now);
  }

  private void tell(Type type, FallbackReason reason, long now) {
    events.accept(
        new FallbackEvent(
            now, scope.model(), scope.group(), scope.device(), type, reason, now - enteredAt));
  }
}
