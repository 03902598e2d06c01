package io.isle.inference.engine.decide;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.distribution.TrainedRange;
import io.isle.inference.engine.fallback.FallbackTimes;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.TrainedOutput;
import java.util.Collections;
import java.util.List;

/** Models of {@link TestPoint}. */
final class TestModels {
  private TestModels() {}

  /** A model that is trained for features from -100 to 100, and for any output. */
  static LoadedModel of(DecisionSpec spec, ModelEngine engine) {
    return of(spec, engine, false);
  }

  static LoadedModel of(DecisionSpec spec, ModelEngine engine, boolean net) {
    List<TrainedRange> trained =
        Collections.nCopies(spec.features().size(), new TrainedRange(-100, 100, 0, 60));
    List<TrainedOutput> outputs = List.of(new TrainedOutput(Integer.MIN_VALUE, Integer.MAX_VALUE));
    return new LoadedModel(engine, net, trained, ModelShape.of(spec, trained, outputs));
  }

  /** The fallbacks of a decision, which nobody hears of. */
  static ModelFallback fallback(DecisionPoint point, SlotGates gates, MonotonicClock clock) {
    return new ModelFallback(point.spec().name(), gates, FallbackTimes.DEFAULT, clock, event -> {});
  }

  /** A model that always gives this answer. */
  static ModelEngine constant(int answer) {
    return (features, out, run) -> {
      out[0] = answer;
      return ModelEngine.DONE;
    };
  }
}
