package io.isle.inference.engine.slot;

import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import io.isle.inference.engine.score.Score;
import java.util.Optional;

/** The drift of a whole model, which follows from those of its groups. Pure functions. */
final class DriftNews {
  private DriftNews() {}

  /**
   * The drift that a fallback tells of.
   *
   * @param model the one that serves; null for none
   */
  static Optional<DriftEvent> of(FallbackEvent event, PlacedModel model) {
    if (model == null
        || event.type() != FallbackEvent.Type.ENTERED
        || !event.group().isEmpty()
        || !(event.reason() instanceof FallbackReason.Drift)) {
      return Optional.empty();
    }
    Score score = model.score();
    return Optional.of(
        new DriftEvent(
            event.timestampNs(),
            event.model(),
            "",
            true,
            score.accuracy(),
            score.heuristicAccuracy(),
            score.outcomes()));
  }
}
