package io.isle.inference.engine.decide;

import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.distribution.DistributionLimits;
import io.isle.inference.engine.distribution.DistributionWatch;
import io.isle.inference.engine.distribution.TrainedRange;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.ProvenModel;
import java.util.List;

/** A proven model in memory, with what has happened to it. */
public final class LoadedModel {
  private final ModelEngine engine;
  private final boolean timedAlways;
  private final List<TrainedRange> trained;
  private final ModelShape shape;
  private final ModelStats stats = new ModelStats();

  /**
   * @param timedAlways whether each call is timed, as those of nets are; else each 16th
   * @param trained one a feature
   */
  public LoadedModel(
      ModelEngine engine, boolean timedAlways, List<TrainedRange> trained, ModelShape shape) {
    this.engine = engine;
    this.timedAlways = timedAlways;
    this.trained = List.copyOf(trained);
    this.shape = shape;
  }

  /** A model of a decision. */
  public static LoadedModel of(DecisionSpec spec, ProvenModel model) {
    List<TrainedRange> trained =
        model.features().stream()
            .map(one -> new TrainedRange(one.min(), one.max(), one.mean(), one.stddev()))
            .toList();
    return new LoadedModel(
        model.engine(),
        model.header().type() == ModelType.TINY_NEURAL_NET,
        trained,
        ModelShape.of(spec, trained, model.outputs()));
  }

  /** Computes its answers. */
  public ModelEngine engine() {
    return engine;
  }

  boolean timedAlways() {
    return timedAlways;
  }

  /** Ranges that guard it. */
  public ModelShape shape() {
    return shape;
  }

  /** Counters since it was loaded. */
  public ModelStats stats() {
    return stats;
  }

  DistributionWatch watch(DistributionLimits limits) {
    return new DistributionWatch(trained, limits);
  }
}
