package io.isle.inference.engine.fallback;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackEvent.Type;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import java.util.Optional;
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
  private final Standing standing;
  private FallbackGate gate;
  private FallbackTimes times;

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
    standing = new Standing(scope);
  }

  /** Another gate takes the place of the one so far, such as that of another model. */
  public void gate(FallbackGate other) {
    gate = other;
    if (standing.isThere()) {
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
    standing.seen(reason);
    if (!standing.isGraver(reason)) {
      return false;
    }
    long now = clock.nanoTime();
    standing.fail(reason, now);
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
    if (standing.off) {
      return false;
    }
    long now = clock.nanoTime();
    standing.begin(now);
    standing.off = true;
    gate.close();
    tell(Type.ENTERED, standing.reason(), now);
    return true;
  }

  /**
   * An administrator lets the model decide again.
   *
   * @return false when only a model with a valid signature ends the fallback
   */
  public boolean reset() {
    if (!standing.isThere()) {
      return true;
    }
    long now = clock.nanoTime();
    if (!(standing.fault instanceof SignatureFailed)) {
      leave(Type.ADMIN_RESET, now);
      return true;
    }
    standing.switchOn(now);
    return false;
  }

  /**
   * No retries from now on, and no steps: an administrator wants the rule.
   *
   * @return false when no fallback is there
   */
  public boolean hold() {
    if (!standing.isThere()) {
      return false;
    }
    standing.held = true;
    standing.retries.restart();
    gate.close();
    return true;
  }

  /**
   * Ends a {@link #hold}. The next calls are retries, without a time between them, where retries
   * end the fallback.
   *
   * @return false when it is not held and no retry can end it, or the administrator must end it
   */
  public boolean retry() {
    if (!standing.mayBeRetried()) {
      return false;
    }
    long now = clock.nanoTime();
    if (standing.release(now)) {
      leave(Type.RECOVERED, now);
    } else {
      standing.retries.hurry();
      offerRetry(now);
    }
    return true;
  }

  /** The call that the gate allowed on trial has ended. */
  public void tried(boolean success) {
    if (standing.fault == null) {
      return;
    }
    long now = clock.nanoTime();
    gate.close();
    tell(Type.RECOVERY_ATTEMPT, standing.fault, now);
    if (standing.hasRetries() && standing.retries.ended(success, times, now)) {
      leave(Type.RECOVERED, now);
    }
  }

  /** The scores of the group are good again: ends its drift. */
  public void driftEnded() {
    if (standing.driftEnds()) {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** Another model has taken the place: ends what was a fault of the old one. */
  public void modelReplaced() {
    if (standing.endsWithModel()) {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** The device was reset or replaced: ends its error. */
  public void deviceReset() {
    if (standing.fault instanceof DeviceError && !standing.off) {
      leave(Type.RECOVERED, clock.nanoTime());
    }
  }

  /** The rule has decided this many calls more. */
  public void fallbackCalls(long more) {
    if (standing.isThere()) {
      standing.escalation.addCalls(more);
    }
  }

  /** Does what is due; often, such as each 100 ms. */
  public void tick() {
    if (standing.fault == null || standing.off || standing.held) {
      return;
    }
    long now = clock.nanoTime();
    while (standing.escalation.advances(times, now)) {
      if (standing.escalation.isOver()) {
        gate.close();
      }
      tell(standing.escalation.step().event(), standing.fault, now);
    }
    offerRetry(now);
  }

  /** Whether a fault of this kind is there, also while the model is switched off. */
  boolean hasFault(Class<? extends FallbackReason> kind) {
    return kind.isInstance(standing.fault);
  }

  /** The state now. */
  public FallbackState state() {
    return standing.state(times, clock.nanoTime());
  }

  /** What a restart needs; empty while the model decides. */
  public Optional<SavedFallback> save() {
    return standing.isThere() ? Optional.of(standing.save(clock.nanoTime())) : Optional.empty();
  }

  /** Goes on with what was before a restart, of which nobody is told again. */
  public void restore(SavedFallback saved) {
    standing.restore(saved, clock.nanoTime());
    gate.close();
  }

  private void leave(Type how, long now) {
    FallbackReason ended = standing.reason();
    standing.end();
    gate.open();
    tell(how, ended, now);
  }

  private void offerRetry(long now) {
    if (standing.hasRetries() && standing.retries.isDue(times, now)) {
      gate.allowTrial();
    }
  }

  private void tell(Type type, FallbackReason reason, long now) {
    events.accept(
        new FallbackEvent(
            now, scope.model(), scope.group(), scope.device(), type, reason, standing.lasted(now)));
  }
}
