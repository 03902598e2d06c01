package io.isle.lib.model.engine;

import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Layer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Puts a net into the memory layout of the C library ({@code infer.h}). */
public final class NetPacking {
  private static final int LANES = 16;
  private static final int GROUP = 4;
  private static final int TILE = 8;
  private static final int HEAD_WORDS = 2;
  private static final int LAYER_WORDS = 5;
  private static final int ZERO_POINT = 128;

  private NetPacking() {}

  /**
   * The words of the layout.
   *
   * @param form a proven form
   */
  public static int[] pack(NetForm form) {
    int features = form.offsets().length;
    int rounded = up(features, LANES);
    int size = 4 * (HEAD_WORDS + 2 * rounded);
    for (Layer layer : form.layers()) {
      int neurons = up(layer.outputs(), LANES);
      size +=
          4 * (LAYER_WORDS + neurons) + layer.table().length + up(layer.inputs(), GROUP) * neurons;
    }
    ByteBuffer to = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    to.putInt(form.layers().size()).putInt(rounded);
    words(to, form.offsets(), rounded);
    words(to, form.shifts(), rounded);
    for (Layer layer : form.layers()) {
      pack(layer, to);
    }
    int[] words = new int[size / 4];
    to.flip().asIntBuffer().get(words);
    return words;
  }

  private static void pack(Layer layer, ByteBuffer to) {
    int groups = up(layer.inputs(), GROUP) / GROUP;
    int blocks = up(layer.outputs(), LANES) / LANES;
    to.putInt(groups).putInt(blocks);
    to.putInt(layer.multiplier()).putInt(layer.shift()).putInt(layer.activation().ordinal());
    int[] bias = layer.bias().clone();
    for (int i = 0; i < bias.length; i++) {
      for (int j = 0; j < layer.inputs(); j++) {
        bias[i] -= ZERO_POINT * layer.weights()[i * layer.inputs() + j];
      }
    }
    words(to, bias, blocks * LANES);
    to.put(layer.table());
    for (int tile = 0; tile < blocks; tile += TILE) {
      for (int group = 0; group < groups; group++) {
        for (int block = tile; block < Math.min(tile + TILE, blocks); block++) {
          block(layer, block, group, to);
        }
      }
    }
  }

  private static void block(Layer layer, int block, int group, ByteBuffer to) {
    for (int neuron = block * LANES; neuron < (block + 1) * LANES; neuron++) {
      for (int input = group * GROUP; input < (group + 1) * GROUP; input++) {
        boolean padding = neuron >= layer.outputs() || input >= layer.inputs();
        to.put(padding ? 0 : layer.weights()[neuron * layer.inputs() + input]);
      }
    }
  }

  private static void words(ByteBuffer to, int[] values, int rounded) {
    for (int value : values) {
      to.putInt(value);
    }
    for (int i = values.length; i < rounded; i++) {
      to.putInt(0);
    }
  }

  private static int up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
  }
}
