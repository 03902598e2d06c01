package io.isle.lib.model.body;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.engine.Cost;
import io.isle.lib.model.engine.NetEngines;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.Rounding;
import java.util.ArrayList;
import java.util.List;

/** Proves nets: layers in a row without a way back, and sums that stay within 32 bits. */
final class NetBody {
  private static final int MOST_INPUT_SHIFT = 31;
  private static final int LARGEST_ACTIVATION = 128;

  private NetBody() {}

  static ModelBody prove(BodyReader in, int features, int outputs) {
    int count = in.count(1, NetForm.MOST_LAYERS, "layers");
    in.zero(4, "reserved");
    in.need((long) NetForm.FEATURE_BYTES * features, "features");
    int[] offsets = new int[features];
    int[] shifts = new int[features];
    for (int i = 0; i < features; i++) {
      offsets[i] = in.word();
      shifts[i] = in.small(0, MOST_INPUT_SHIFT, "feature[" + i + "].shift");
      in.zero(3, "feature[" + i + "].reserved");
    }
    List<Layer> layers = new ArrayList<>();
    int width = features;
    for (int i = 0; i < count; i++) {
      Layer layer = layer(in, "layer[" + i + "]", width);
      width = layer.outputs();
      layers.add(layer);
    }
    BodyReader.range(width, outputs, outputs, "layer[" + (count - 1) + "].outputs");
    in.end();
    NetForm form = new NetForm(offsets, shifts, List.copyOf(layers));
    if (form.macs() > NetForm.MOST_MACS) {
      throw new ModelException(
          ModelFault.TOO_BIG,
          "layers",
          form.macs() + " multiplications are above " + NetForm.MOST_MACS);
    }
    return new ModelBody(form, NetEngines.of(form), new Cost(0, 0, 0, form.macs(), count));
  }

  private static Layer layer(BodyReader in, String place, int width) {
    in.need(NetForm.LAYER_BYTES, place);
    int inputs = (int) BodyReader.range(in.half(), width, width, place + ".inputs");
    int outputs = in.shortCount(1, NetForm.MOST_NEURONS, place + ".outputs");
    Activation activation =
        Activation.values()[in.small(0, Activation.values().length - 1, place + ".activation")];
    int shift = in.small(0, Rounding.MOST_SHIFT, place + ".shift");
    in.zero(2, place + ".reserved");
    int multiplier = (int) BodyReader.range(in.word(), 0, Integer.MAX_VALUE, place + ".multiplier");
    int[] bias = in.words(outputs, place + ".bias");
    byte[] table =
        in.bytes(activation == Activation.TABLE ? NetForm.TABLE_BYTES : 0, place + ".table");
    byte[] weights = in.bytes(inputs * outputs, place + ".weights");
    for (int i = 0; i < outputs; i++) {
      long most = Math.abs((long) bias[i]);
      for (int j = 0; j < inputs; j++) {
        most += LARGEST_ACTIVATION * Math.abs((int) weights[i * inputs + j]);
      }
      if (most > Integer.MAX_VALUE) {
        throw new ModelException(
            ModelFault.OVERFLOW,
            place + ".bias[" + i + "]",
            "with its weights a sum may reach " + most + ", above " + Integer.MAX_VALUE);
      }
    }
    return new Layer(inputs, bias, weights, multiplier, shift, activation, table);
  }
}
