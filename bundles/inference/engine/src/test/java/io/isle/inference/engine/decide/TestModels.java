package io.isle.inference.engine.decide;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.ModelEngine;

/** Models of {@link TestPoint}. */
final class TestModels {
  private TestModels() {}

  /** A model that is trained for features from -100 to 100, and for any output. */
  static LoadedModel of(DecisionSpec spec, ModelEngine engine) {
    return of(spec, engine, false);
  }

  static LoadedModel of(DecisionSpec spec, ModelEngine engine, boolean net) {
    int[] min = {Integer.MIN_VALUE};
    int[] max = {Integer.MAX_VALUE};
    return new LoadedModel(
        engine, net, ModelShape.of(spec, new int[] {-100, -100}, new int[] {100, 100}, min, max));
  }

  /** A model that always gives this answer. */
  static ModelEngine constant(int answer) {
    return (features, out, run) -> {
      out[0] = answer;
      return ModelEngine.DONE;
    };
  }
}
