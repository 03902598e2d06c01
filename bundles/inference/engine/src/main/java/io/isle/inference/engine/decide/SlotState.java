package io.isle.inference.engine.decide;

/**
 * The models of one decision, as one value: calls see all of it or its predecessor. Immutable.
 *
 * @param serving decides; null for none
 * @param shadow is scored only; null for none
 * @param previous served before; null for none
 * @param gate whether the one that serves may answer
 * @param mode how decisions are made
 * @param budgetNs most time of a call
 * @param kept whether decisions are kept although no model wants them
 */
public record SlotState(
    LoadedModel serving,
    LoadedModel shadow,
    LoadedModel previous,
    Gate gate,
    Mode mode,
    long budgetNs,
    boolean kept) {
  /** Whether decisions and outcomes are kept in rings. */
  public boolean wanted() {
    return kept || mode != Mode.OFF && (serving != null || shadow != null);
  }

  /** A copy with other models. */
  public SlotState with(LoadedModel nowServing, LoadedModel nowShadow, LoadedModel nowPrevious) {
    return new SlotState(nowServing, nowShadow, nowPrevious, gate, mode, budgetNs, kept);
  }

  /** A copy with another mode and limit of time. */
  public SlotState with(Mode nowMode, long nowBudgetNs) {
    return new SlotState(serving, shadow, previous, gate, nowMode, nowBudgetNs, kept);
  }

  /** A copy that keeps decisions, or no longer does. */
  public SlotState keeping(boolean nowKept) {
    return new SlotState(serving, shadow, previous, gate, mode, budgetNs, nowKept);
  }

  SlotState guardedBy(Gate other) {
    return new SlotState(serving, shadow, previous, other, mode, budgetNs, kept);
  }
}
