package io.isle.inference.engine.decide;

import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionSpec;
import java.util.List;

/**
 * Ranges that guard a model: those of its training for features, and those of the decision and of
 * the model for outputs. Immutable; arrays are shared and never written.
 *
 * @param minFeature least trained value of each feature
 * @param maxFeature greatest
 * @param minOutput least valid value of each output
 * @param maxOutput greatest
 * @param reject whether a value out of range is invalid; else the nearest valid one takes its place
 */
@SuppressWarnings("ArrayRecordComponent")
public record ModelShape(
    int[] minFeature, int[] maxFeature, int[] minOutput, int[] maxOutput, boolean[] reject) {
  /**
   * The ranges of a model of a decision.
   *
   * @param minOutput of the model
   * @param maxOutput of the model
   */
  public static ModelShape of(
      DecisionSpec spec, int[] minFeature, int[] maxFeature, int[] minOutput, int[] maxOutput) {
    List<DecisionOutput> outputs = spec.outputs();
    int[] min = new int[outputs.size()];
    int[] max = new int[outputs.size()];
    boolean[] reject = new boolean[outputs.size()];
    for (int i = 0; i < min.length; i++) {
      DecisionOutput output = outputs.get(i);
      min[i] = Math.clamp(minOutput[i], output.min(), output.max());
      max[i] = Math.clamp(maxOutput[i], output.min(), output.max());
      reject[i] = output.outside() == DecisionOutput.Outside.REJECT;
    }
    return new ModelShape(minFeature.clone(), maxFeature.clone(), min, max, reject);
  }

  /** The first feature out of its range; -1 if there is none. */
  int outside(int[] features) {
    for (int i = 0; i < minFeature.length; i++) {
      if (features[i] < minFeature[i] || features[i] > maxFeature[i]) {
        return i;
      }
    }
    return -1;
  }

  /** Brings outputs into their ranges; the first invalid one, or -1. */
  int invalid(int[] out) {
    for (int i = 0; i < minOutput.length; i++) {
      int value = out[i];
      if (value < minOutput[i] || value > maxOutput[i]) {
        if (reject[i]) {
          return i;
        }
        out[i] = value < minOutput[i] ? minOutput[i] : maxOutput[i];
      }
    }
    return -1;
  }
}
