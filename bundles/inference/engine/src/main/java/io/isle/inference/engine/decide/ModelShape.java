package io.isle.inference.engine.decide;

import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.distribution.TrainedRange;
import io.isle.lib.model.TrainedOutput;
import java.util.List;

/**
 * Ranges that guard a model: those of its training for features, and those of the decision and of
 * the training for outputs. Immutable.
 */
public final class ModelShape {
  private final int[] minFeature;
  private final int[] maxFeature;
  private final int[] minOutput;
  private final int[] maxOutput;
  private final boolean[] reject;

  private ModelShape(int features, int outputs) {
    minFeature = new int[features];
    maxFeature = new int[features];
    minOutput = new int[outputs];
    maxOutput = new int[outputs];
    reject = new boolean[outputs];
  }

  /** The ranges of a model of a decision. */
  public static ModelShape of(
      DecisionSpec spec, List<TrainedRange> features, List<TrainedOutput> outputs) {
    ModelShape shape = new ModelShape(features.size(), outputs.size());
    for (int i = 0; i < features.size(); i++) {
      shape.minFeature[i] = features.get(i).min();
      shape.maxFeature[i] = features.get(i).max();
    }
    for (int i = 0; i < outputs.size(); i++) {
      DecisionOutput valid = spec.outputs().get(i);
      shape.minOutput[i] = Math.clamp(outputs.get(i).min(), valid.min(), valid.max());
      shape.maxOutput[i] = Math.clamp(outputs.get(i).max(), valid.min(), valid.max());
      shape.reject[i] = valid.outside() == DecisionOutput.Outside.REJECT;
    }
    return shape;
  }

  /** Whether a feature is out of its range. */
  public boolean isOutside(int[] features) {
    int strayed = 0;
    for (int i = 0; i < minFeature.length; i++) {
      int value = features[i];
      strayed |= value ^ Math.max(minFeature[i], Math.min(maxFeature[i], value));
    }
    return strayed != 0;
  }

  /** Brings outputs into their ranges; false if one must not be brought there. */
  public boolean isValid(int[] out) {
    for (int i = 0; i < minOutput.length; i++) {
      int value = out[i];
      int near = Math.max(minOutput[i], Math.min(maxOutput[i], value));
      if (value != near) {
        if (reject[i]) {
          return false;
        }
        out[i] = near;
      }
    }
    return true;
  }
}
