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
  private final FallbackScope scope;
  private final MonotonicClock clock;
  private final Consumer<FallbackEvent> events;
  private final Escalation escalation = new Escalation();
  private final Retries retries = new Retries();
  private FallbackGate gate;
  private FallbackTimes times;

  // Switched off by an administrator; beside a fault, which stays when it is switched on again.
  private boolean off;
  private FallbackReason fault;
  private long enteredAt;
  private boolean held;
  // The drift of a group has ended while it was held.
  private boolean driftOver;

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
   * Something went wrong. When the same or a graver reason is there already, only the row of
   * retries begins anew.
   *
   * @return whether the reason is new
   */
  public boolean enter(FallbackReason reason) {
    if (reason instanceof ModelDisabled) {
      return disable();
    }
    retries.restart();
    driftOver &= !(reason instanceof Drift);
    if (fault != null && FallbackRules.rank(reason) <= FallbackRules.rank(fault)) {
      return false;
    }
    long now = begin();
    if (fault == null) {
      escalation.begin(now);
      retries.begin(times, now);
    }
    fault = reason;
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
    long now = begin();
    off = true;
    tell(Type.ENTERED, new ModelDisabled(), now);
    return true;
  }

  /**
   * An administrator lets the model decide again.
   *
   * @return false when only a model with a valid signature ends the fallback
   */
  public boolean reset() {
    if (!active()) {
      return true;
    }
    long now = clock.nanoTime();
    if (fault instanceof SignatureFailed) {
      if (off) {
        off = false;
        escalation.begin(now);
      }
      return false;
    }
    leave(Type.ADMIN_RESET, now);
    return true;
  }

  /**
   * No retries from now on, and no steps: an administrator wants the rule.
   *
   * @return false when no fallback is there
   */
  public boolean hold() {
    if (!active()) {
      return false;
    }
    held = true;
    retries.restart();
    gate.close();
    return true;
  }

  /**
   * Ends a {@link #hold}. The next calls are retries, without a time between them, where retries
   * end the fallback.
   *
   * @return false when neither a retry nor the end of a drift can end the fallback
   */
  public boolean retry() {
    if (!active() || adminNeeded()) {
      return false;
    }
    long now = clock.nanoTime();
    if (held) {
      held = false;
      escalation.begin(now);
    }
    if (driftOver) {
      leave(Type.RECOVERED, now);
    } else {
      retries.hurry(now);
      offerRetry(now);
    }
    return true;
  }

  /** The call that the gate allowed on trial has ended. */
  public void tried(boolean success) {
    if (fault == null) {
      return;
    }
    long now = clock.nanoTime();
    gate.close();
    tell(Type.RECOVERY_ATTEMPT, fault, now);
    if (off || held || escalation.isOver() || !FallbackRules.retries(fault)) {
      return;
    }
    if (retries.ended(success, times, now)) {
      leave(Type.RECOVERED, now);
    }
  }

  /** The scores of the group are good again: ends its drift. */
  public void driftEnded() {
    if (!(fault instanceof Drift) || adminNeeded()) {
      return;
    }
    if (held) {
      driftOver = true;
    } else {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** Another model has taken the place: ends what was a fault of the old one. */
  public void modelReplaced() {
    if (fault == null || !FallbackRules.endsWithModel(fault)) {
      return;
    }
    if (off) {
      fault = null;
      escalation.end();
    } else {
      leave(Type.RECOVERED, clock.nanoTime());
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
      escalation.addCalls(more);
    }
  }

  /** Does what is due; often, such as each 100 ms. */
  public void tick() {
    if (fault == null || off || held) {
      return;
    }
    long now = clock.nanoTime();
    while (escalation.advances(times, now)) {
      if (escalation.isOver()) {
        gate.close();
      }
      tell(escalation.step().event(), fault, now);
    }
    offerRetry(now);
  }

  /** Whether a fault of this kind is there, also while the model is switched off. */
  boolean hasFault(Class<? extends FallbackReason> kind) {
    return kind.isInstance(fault);
  }

  /** The state now. */
  public FallbackState state() {
    long now = clock.nanoTime();
    boolean on = active();
    return new FallbackState(
        scope,
        Optional.ofNullable(reason()),
        on ? OptionalLong.of(enteredAt) : OptionalLong.empty(),
        on ? now - enteredAt : 0,
        escalation.calls(),
        times.escalationThreshold(),
        escalation.step(),
        retries.successes(),
        held,
        on && adminNeeded());
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
            fault == null ? 0 : escalation.lasted(now),
            escalation.step(),
            held));
  }

  /** Goes on with what was before a restart, of which nobody is told again. */
  public void restore(SavedFallback saved) {
    long now = begin();
    off = saved.off();
    fault = saved.fault().orElse(null);
    enteredAt = now - saved.ageNs();
    escalation.restore(now - saved.escalatingNs(), saved.step());
    retries.begin(times, now);
    held = saved.held();
  }

  private boolean active() {
    return off || fault != null;
  }

  private FallbackReason reason() {
    return off ? new ModelDisabled() : fault;
  }

  private boolean adminNeeded() {
    return off || escalation.isOver() || FallbackRules.needsAdmin(scope, fault);
  }

  private long begin() {
    long now = clock.nanoTime();
    if (!active()) {
      enteredAt = now;
    }
    gate.close();
    return now;
  }

  private void leave(Type how, long now) {
    FallbackReason ended = reason();
    off = false;
    fault = null;
    held = false;
    driftOver = false;
    escalation.end();
    retries.restart();
    gate.open();
    tell(how, ended, now);
  }

  private void offerRetry(long now) {
    if (!escalation.isOver() && FallbackRules.retries(fault) && retries.isDue(times, now)) {
      gate.allowTrial();
    }
  }

  private void tell(Type type, FallbackReason reason, long now) {
    events.accept(
        new FallbackEvent(
            now, scope.model(), scope.group(), scope.device(), type, reason, now - enteredAt));
  }
}
