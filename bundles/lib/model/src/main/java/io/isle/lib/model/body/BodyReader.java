package io.isle.lib.model.body;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Takes little-endian fields one after the other. Each check names the place. */
final class BodyReader {
  private final ByteBuffer in;

  BodyReader(ByteBuffer body) {
    this.in = body.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Demands bytes before they are taken.
   *
   * @param bytes of what follows
   */
  void need(long bytes, String place) {
    if (in.remaining() < bytes) {
      throw new ModelException(
          ModelFault.TRUNCATED,
          place,
          "needs " + bytes + " bytes, the body has " + in.remaining() + " more");
    }
  }

  /** A count of 32 bits without a sign. */
  int count(int least, int most, String place) {
    need(4, place);
    return count(Integer.toUnsignedLong(in.getInt()), least, most, place);
  }

  /** A count of 16 bits without a sign. */
  int shortCount(int least, int most, String place) {
    need(2, place);
    return count(Short.toUnsignedLong(in.getShort()), least, most, place);
  }

  private static int count(long value, int least, int most, String place) {
    if (value > most) {
      throw new ModelException(ModelFault.TOO_BIG, place, value + " is above " + most);
    }
    return (int) range(value, least, most, place);
  }

  /** A number of 8 bits without a sign. */
  int small(int least, int most, String place) {
    need(1, place);
    return (int) range(Byte.toUnsignedInt(in.get()), least, most, place);
  }

  /** A value that must lie in a range. */
  static long range(long value, long least, long most, String place) {
    if (value < least || value > most) {
      throw new ModelException(
          ModelFault.BAD_BODY, place, value + " is not " + least + " to " + most);
    }
    return value;
  }

  /** Bytes that must be zero. */
  void zero(int bytes, String place) {
    need(bytes, place);
    for (int i = 0; i < bytes; i++) {
      if (in.get() != 0) {
        throw new ModelException(ModelFault.BAD_RESERVED, place, "is not 0");
      }
    }
  }

  /** A number of 32 bits; {@link #need} was asked. */
  int word() {
    return in.getInt();
  }

  /** A number of 16 bits without a sign; {@link #need} was asked. */
  int half() {
    return Short.toUnsignedInt(in.getShort());
  }

  int[] words(int count, String place) {
    need(4L * count, place);
    int[] values = new int[count];
    in.slice().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
    in.position(in.position() + 4 * count);
    return values;
  }

  short[] halves(int count, String place) {
    need(2L * count, place);
    short[] values = new short[count];
    in.slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(values);
    in.position(in.position() + 2 * count);
    return values;
  }

  byte[] bytes(int count, String place) {
    need(count, place);
    byte[] values = new byte[count];
    in.get(values);
    return values;
  }

  /** Refuses what follows the last part. */
  void end() {
    if (in.hasRemaining()) {
      throw new ModelException(
          ModelFault.TRAILING_BYTES,
          "body",
          "has " + in.remaining() + " bytes behind its last part");
    }
  }
}
