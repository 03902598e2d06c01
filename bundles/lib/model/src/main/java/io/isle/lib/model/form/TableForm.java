package io.isle.lib.model.form;

import io.isle.lib.model.ModelType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A table of answers by quantized features.
 *
 * @param outputs values of a cell
 * @param axes 1 to {@link #MOST_AXES}; the last one changes fastest from cell to cell
 * @param cells values of all cells, one cell after the other
 */
public record TableForm(int outputs, List<Axis> axes, int[] cells) implements ModelForm {
  /** Most axes. */
  public static final int MOST_AXES = 4;

  /** Most bits of an axis. */
  public static final int MOST_BITS = 16;

  /** Bytes in front of the axes. */
  public static final int HEAD_BYTES = 8;

  /** Bytes of an axis. */
  public static final int AXIS_BYTES = 8;

  /**
   * The index on an axis is {@code (value - offset) >> shift}, at least 0 and at most {@code 2^bits
   * - 1}.
   *
   * @param feature number of the feature
   * @param bits 1 to {@link #MOST_BITS}
   * @param shift 0 to 31
   * @param offset value of index 0
   */
  public record Axis(int feature, int bits, int shift, int offset) {
    /** The index of a value. */
    public int index(int value) {
      long at = ((long) value - offset) >> shift;
      return Math.clamp(at, 0, (1 << bits) - 1);
    }
  }

  @Override
  public ModelType type() {
    return ModelType.LOOKUP_TABLE;
  }

  @Override
  public byte[] bytes() {
    ByteBuffer to =
        ByteBuffer.allocate(HEAD_BYTES + AXIS_BYTES * axes.size() + 4 * cells.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(axes.size()).putInt(0);
    for (Axis axis : axes) {
      to.putShort((short) axis.feature).put((byte) axis.bits).put((byte) axis.shift);
      to.putInt(axis.offset);
    }
    for (int value : cells) {
      to.putInt(value);
    }
    return to.array();
  }
}
