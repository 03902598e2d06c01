package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.Rounding;

/** Nets, one number after the other. Activations are in the words of the run, one a word. */
final class ReferenceNet {
  /** The outputs of the even layers lie where the features of other nets lie, and so on. */
  private static final int EVEN = ModelRun.INPUT;

  private static final int ODD = ModelRun.OUTPUT;

  private ReferenceNet() {}

  static int run(NetForm form, int[] features, int[] out, ModelRun run) {
    int[] words = run.words();
    int first = words[ModelRun.LAYER];
    words[ModelRun.LAYER] = 0;
    if (first <= 0 || first >= form.layers().size()) {
      first = 0;
      for (int i = 0; i < form.offsets().length; i++) {
        words[EVEN + i] = toByte(((long) features[i] - form.offsets()[i]) >> form.shifts()[i]);
      }
    }
    int last = form.layers().size() - 1;
    for (int at = first; at < last; at++) {
      layer(
          form.layers().get(at),
          words,
          at % 2 == 0 ? EVEN : ODD,
          words,
          at % 2 == 0 ? ODD : EVEN,
          false);
      if (run.yieldRequested()) {
        words[ModelRun.LAYER] = at + 1;
        return ModelEngine.YIELDED;
      }
    }
    layer(form.layers().get(last), words, last % 2 == 0 ? EVEN : ODD, out, 0, true);
    return ModelEngine.DONE;
  }

  private static void layer(Layer layer, int[] in, int from, int[] out, int to, boolean last) {
    for (int i = 0; i < layer.outputs(); i++) {
      int sum = layer.bias()[i];
      for (int j = 0; j < layer.inputs(); j++) {
        sum += layer.weights()[i * layer.inputs() + j] * in[from + j];
      }
      long value = Rounding.shift((long) sum * layer.multiplier(), layer.shift());
      if (layer.activation() == Activation.RELU) {
        value = Math.max(value, 0);
      } else if (layer.activation() == Activation.TABLE) {
        value = layer.table()[toByte(value) - Byte.MIN_VALUE];
      }
      out[to + i] = last ? Rounding.saturate(value) : toByte(value);
    }
  }

  private static int toByte(long value) {
    return Math.clamp(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
  }
}
