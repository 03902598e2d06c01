package io.isle.lib.model.form;

import io.isle.lib.model.ModelType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A dot product an output. The value is {@code (bias + sum of weight * feature) >> shift}, rounded.
 *
 * @param features of the model
 * @param bias of each output
 * @param thresholds of each output: the answer is 1 from the threshold on, else 0; {@link
 *     #NO_THRESHOLD}: the answer is the value
 * @param shifts of each output, 0 to {@link Rounding#MOST_SHIFT}
 * @param weights of all features for the first output, then for the next one
 */
public record LinearForm(int features, int[] bias, int[] thresholds, int[] shifts, short[] weights)
    implements ModelForm {
  /** In the place of a threshold: there is none. */
  public static final int NO_THRESHOLD = Integer.MIN_VALUE;

  /** Bytes of an output in front of the weights. */
  public static final int OUTPUT_BYTES = 12;

  @Override
  public ModelType type() {
    return ModelType.LINEAR;
  }

  @Override
  public int outputs() {
    return bias.length;
  }

  @Override
  public byte[] bytes() {
    ByteBuffer to =
        ByteBuffer.allocate(OUTPUT_BYTES * outputs() + 2 * weights.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < outputs(); i++) {
      to.putInt(bias[i]).putInt(thresholds[i]).putInt(shifts[i]);
    }
    for (short weight : weights) {
      to.putShort(weight);
    }
    return to.array();
  }
}
