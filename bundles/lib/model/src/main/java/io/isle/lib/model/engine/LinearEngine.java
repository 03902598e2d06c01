package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.Rounding;

/** Computes linear models. */
public final class LinearEngine implements ModelEngine {
  private final int features;
  private final int[] bias;
  private final int[] thresholds;
  private final int[] shifts;
  private final short[] weights;

  /**
   * @param form a proven form
   */
  public LinearEngine(LinearForm form) {
    this.features = form.features();
    this.bias = form.bias();
    this.thresholds = form.thresholds();
    this.shifts = form.shifts();
    this.weights = form.weights();
  }

  @Override
  public int run(int[] values, int[] out, ModelRun run) {
    int at = 0;
    for (int o = 0; o < bias.length; o++) {
      long sum = bias[o];
      for (int f = 0; f < features; f++) {
        sum += (long) weights[at++] * values[f];
      }
      int value = Rounding.saturate(Rounding.shift(sum, shifts[o]));
      int threshold = thresholds[o];
      if (threshold == LinearForm.NO_THRESHOLD) {
        out[o] = value;
      } else {
        out[o] = value >= threshold ? 1 : 0;
      }
    }
    return DONE;
  }
}
