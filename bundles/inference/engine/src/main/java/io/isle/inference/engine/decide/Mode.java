package io.isle.inference.engine.decide;

/** How a slot decides; the names in lower case are the values of the setting. */
public enum Mode {
  /** The model decides while it is sound. */
  ACTIVE,
  /** The rule decides, and the model is scored. */
  HEURISTIC,
  /** The rule decides. */
  OFF
}
