package io.isle.inference.engine.slot;

import io.isle.api.inference.FallbackReason;

/** Kept models of a slot that may not decide, or may again. Pure functions on a slot. */
final class SlotProblems {
  private SlotProblems() {}

  /** Proves what is kept and not in memory. Under the slot's lock. */
  static void restore(ModelSlot slot, System.Logger.Level level) {
    slot.models().restore(slot.point(), slot.budgetNs(), level);
    act(slot);
  }

  /** Proves again what could not be loaded for a reason that may pass. Under the slot's lock. */
  static void retry(ModelSlot slot) {
    Problem problem = slot.models().problem();
    if (slot.isAttached() && !problem.text().isEmpty() && !problem.ofSignature()) {
      restore(slot, System.Logger.Level.DEBUG);
    }
  }

  /** Takes out what may no longer decide. Under the slot's lock. */
  static void judge(ModelSlot slot) {
    if (slot.models().judge()) {
      act(slot);
    }
  }

  private static void act(ModelSlot slot) {
    if (slot.models().problem().ofSignature()) {
      slot.guard().fallback().enter(new FallbackReason.SignatureFailed());
    }
    slot.apply();
  }
}
