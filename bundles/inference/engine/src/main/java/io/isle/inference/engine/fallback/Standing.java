package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import java.util.Optional;
import java.util.OptionalLong;

/** What keeps the model of one scope from deciding, with the steps and retries of that. */
final class Standing {
  final Escalation escalation = new Escalation();
  final Retries retries = new Retries();

  // Switched off by an administrator; beside a fault, which stays when it is switched on again.
  boolean off;
  FallbackReason fault;
  boolean held;

  private final FallbackScope scope;
  private long enteredAt;
  // The drift of a group has ended while it was held.
  private boolean driftOver;

  Standing(FallbackScope scope) {
    this.scope = scope;
  }

  boolean isThere() {
    return off || fault != null;
  }

  /** What to tell of it; null while the model decides. */
  FallbackReason reason() {
    return off ? new ModelDisabled() : fault;
  }

  boolean needsAdmin() {
    return off || escalation.isOver() || FallbackRules.needsAdmin(scope, fault);
  }

  /** Whether retries count and are offered. */
  boolean hasRetries() {
    return fault != null && !off && !held && !escalation.isOver() && FallbackRules.retries(fault);
  }

  /** Whether it makes a difference that an administrator wants it tried now. */
  boolean mayBeRetried() {
    return isThere() && !needsAdmin() && (held || FallbackRules.retries(fault));
  }

  boolean isGraver(FallbackReason reason) {
    return fault == null || FallbackRules.rank(reason) > FallbackRules.rank(fault);
  }

  /** The time of the fallback goes on if it has begun already. */
  void begin(long now) {
    if (!isThere()) {
      enteredAt = now;
    }
  }

  void fail(FallbackReason reason, long now) {
    begin(now);
    if (fault == null) {
      escalation.begin(now);
      retries.begin(now);
    }
    fault = reason;
  }

  /** A fault happens, perhaps one that is there already. */
  void seen(FallbackReason reason) {
    retries.restart();
    driftOver &= !(reason instanceof Drift);
  }

  /** The drift has ended; true if the fallback has with it. */
  boolean driftEnds() {
    if (!(fault instanceof Drift) || needsAdmin()) {
      return false;
    }
    driftOver = held;
    return !held;
  }

  /** It is held no longer; true if the fallback has ended meanwhile. */
  boolean release(long now) {
    if (held) {
      held = false;
      escalation.begin(now);
    }
    return driftOver;
  }

  /** What the administrator had switched off; a fault beside it stays. */
  void switchOn(long now) {
    if (off) {
      off = false;
      escalation.begin(now);
    }
  }

  /** A fault of the model before ends; true if nothing is left then. */
  boolean endsWithModel() {
    if (fault == null || !FallbackRules.endsWithModel(fault)) {
      return false;
    }
    if (off) {
      fault = null;
      escalation.end();
    }
    return !off;
  }

  void end() {
    off = false;
    fault = null;
    held = false;
    driftOver = false;
    escalation.end();
    retries.restart();
  }

  long lasted(long now) {
    return now - enteredAt;
  }

  FallbackState state(FallbackTimes times, long now) {
    boolean there = isThere();
    return new FallbackState(
        scope,
        Optional.ofNullable(reason()),
        there ? OptionalLong.of(enteredAt) : OptionalLong.empty(),
        there ? lasted(now) : 0,
        escalation.calls(),
        times.escalationThreshold(),
        escalation.step(),
        retries.successes(),
        held,
        there && needsAdmin());
  }

  SavedFallback save(long now) {
    return new SavedFallback(
        scope,
        off,
        Optional.ofNullable(fault),
        lasted(now),
        fault == null ? 0 : escalation.lasted(now),
        escalation.step(),
        held);
  }

  void restore(SavedFallback saved, long now) {
    off = saved.off();
    fault = saved.fault().orElse(null);
    enteredAt = now - saved.ageNs();
    escalation.restore(now - saved.escalatingNs(), saved.step());
    retries.begin(now);
    held = saved.held();
  }
}
