package io.isle.inference.engine.slot;

import io.isle.inference.engine.fallback.GroupLimits;
import io.isle.inference.engine.score.DriftLimits;
import io.isle.inference.engine.score.WindowLimits;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;

/**
 * The rules of scoring, as they are now.
 *
 * @param window what a score is made of
 * @param drift when a model decides badly
 * @param groups when a fault of groups is one of the model
 * @param autoDisable whether a model that decides badly loses its decisions
 */
record ScoreRules(WindowLimits window, DriftLimits drift, GroupLimits groups, boolean autoDisable) {
  static ScoreRules of(EngineSettings engine, SlotSettings slot) {
    return new ScoreRules(engine.window(), engine.drift(slot), engine.groups(), slot.autoDisable());
  }
}
