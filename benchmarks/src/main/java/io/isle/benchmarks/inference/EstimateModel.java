package io.isle.benchmarks.inference;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.ModelShape;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.decide.SlotGates;
import io.isle.inference.engine.distribution.TrainedRange;
import io.isle.lib.model.TrainedOutput;
import io.isle.lib.model.engine.LinearEngine;
import io.isle.lib.model.form.LinearForm;
import java.util.List;

/**
 * A linear model of {@code submission_time} in the engine's own slot: a submission takes as long as
 * the context's last one of the same program and sizes.
 */
final class EstimateModel {
  private static final int SHIFT = 8;
  private static final String SAME = "same_time";

  private final DecisionSlot slot;
  private final LoadedModel model;

  EstimateModel(DecisionPoint point) {
    slot = new DecisionSlot(point, new SlotGates(), MonotonicClock.SYSTEM);
    DecisionSpec spec = slot.spec();
    List<DecisionFeature> features = spec.features();
    short[] weights = new short[features.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (short) (features.get(i).name().equals(SAME) ? 1 << SHIFT : 0);
    }
    LinearForm form =
        new LinearForm(
            weights.length,
            new int[] {0},
            new int[] {LinearForm.NO_THRESHOLD},
            new int[] {SHIFT},
            weights);
    List<TrainedRange> trained =
        features.stream()
            .map(f -> new TrainedRange(f.min(), f.max(), f.max() / 2, f.max()))
            .toList();
    int most = spec.outputs().getFirst().max();
    List<TrainedOutput> outputs = List.of(new TrainedOutput(0, most));
    model =
        new LoadedModel(
            new LinearEngine(form), false, trained, ModelShape.of(spec, trained, outputs));
    point.bind(slot);
  }

  /** Whether the model answers from now on. */
  void serve(boolean now) {
    slot.set(slot.state().with(now ? model : null, null, null));
  }

  /** Makes sure that the model, not the rule, made the decisions. */
  void check() {
    long all = model.stats().invocations();
    long byRule = model.stats().total(Count.FALLBACKS);
    if (all == 0 || byRule > all / 100) {
      throw new IllegalStateException("the rule made " + byRule + " of " + all + " decisions");
    }
  }
}
