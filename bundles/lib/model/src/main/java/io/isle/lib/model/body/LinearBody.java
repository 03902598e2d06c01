package io.isle.lib.model.body;

import io.isle.lib.model.engine.Cost;
import io.isle.lib.model.engine.LinearEngine;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.Rounding;

/**
 * Proves linear models. No sum can overflow: 256 products of 32 and 16 bits, a bias and half a unit
 * of the result stay below 2^62.
 */
final class LinearBody {
  private LinearBody() {}

  static ModelBody prove(BodyReader in, int features, int outputs) {
    in.need((long) outputs * (LinearForm.OUTPUT_BYTES + 2L * features), "outputs");
    int[] bias = new int[outputs];
    int[] thresholds = new int[outputs];
    int[] shifts = new int[outputs];
    for (int i = 0; i < outputs; i++) {
      bias[i] = in.word();
      thresholds[i] = in.word();
      shifts[i] = in.small(0, Rounding.MOST_SHIFT, "output[" + i + "].shift");
      in.zero(3, "output[" + i + "].reserved");
    }
    short[] weights = in.halves(outputs * features, "weights");
    in.end();
    LinearForm form = new LinearForm(features, bias, thresholds, shifts, weights);
    return new ModelBody(form, new LinearEngine(form), new Cost(0, 0, features * outputs, 0, 0));
  }
}
