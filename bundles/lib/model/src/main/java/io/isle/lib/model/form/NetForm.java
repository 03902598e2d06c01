package io.isle.lib.model.form;

import io.isle.lib.model.ModelType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A feed-forward net. The first activations are {@code (feature - offset) >> shift}, held to 8 bits
 * with a sign.
 *
 * @param offsets of each feature
 * @param shifts of each feature, 0 to 31
 * @param layers 1 to {@link #MOST_LAYERS}
 */
public record NetForm(int[] offsets, int[] shifts, List<Layer> layers) implements ModelForm {
  /** Most weight layers. */
  public static final int MOST_LAYERS = 4;

  /** Most neurons of a layer. */
  public static final int MOST_NEURONS = 256;

  /** Most multiplications. */
  public static final int MOST_MACS = 262_144;

  /** Bytes in front of the features. */
  public static final int HEAD_BYTES = 8;

  /** Bytes of a feature. */
  public static final int FEATURE_BYTES = 8;

  /** Bytes of a layer in front of its bias. */
  public static final int LAYER_BYTES = 12;

  /** Bytes of the table of an activation. */
  public static final int TABLE_BYTES = 256;

  /** What becomes of a rounded sum. The order is that of the numbers in files. */
  public enum Activation {
    /** Nothing. */
    NONE,
    /** At least 0. */
    RELU,
    /** Held to 8 bits with a sign, it is an index into a table. */
    TABLE
  }

  /**
   * A layer. A sum is {@code bias + sum of weight * activation}; the value {@code (sum *
   * multiplier) >> shift}, rounded, goes through the activation. Between layers it is held to 8
   * bits with a sign, after the last one to 32.
   *
   * @param inputs values that come in
   * @param bias of each neuron
   * @param weights of the first neuron for all inputs, then of the next one
   * @param multiplier 0 to 2^31 - 1
   * @param shift 0 to {@link Rounding#MOST_SHIFT}
   * @param table of {@link Activation#TABLE}, for -128 first; else empty
   */
  public record Layer(
      int inputs,
      int[] bias,
      byte[] weights,
      int multiplier,
      int shift,
      Activation activation,
      byte[] table) {
    /** Neurons. */
    public int outputs() {
      return bias.length;
    }
  }

  @Override
  public ModelType type() {
    return ModelType.TINY_NEURAL_NET;
  }

  @Override
  public int outputs() {
    return layers.getLast().outputs();
  }

  /** Multiplications of an answer. */
  public int macs() {
    return layers.stream().mapToInt(layer -> layer.inputs * layer.outputs()).sum();
  }

  @Override
  public byte[] bytes() {
    int size = HEAD_BYTES + FEATURE_BYTES * offsets.length;
    for (Layer layer : layers) {
      size += LAYER_BYTES + 4 * layer.outputs() + layer.table.length + layer.weights.length;
    }
    ByteBuffer to = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(layers.size()).putInt(0);
    for (int i = 0; i < offsets.length; i++) {
      to.putInt(offsets[i]).putInt(shifts[i]);
    }
    for (Layer layer : layers) {
      to.putShort((short) layer.inputs).putShort((short) layer.outputs());
      to.put((byte) layer.activation.ordinal()).put((byte) layer.shift).putShort((short) 0);
      to.putInt(layer.multiplier);
      for (int bias : layer.bias) {
        to.putInt(bias);
      }
      to.put(layer.table).put(layer.weights);
    }
    return to.array();
  }
}
