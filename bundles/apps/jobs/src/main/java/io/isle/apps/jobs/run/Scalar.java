package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of scalar arguments that jobs can give a program. */
enum Scalar {
  U32(0, 0xffff_ffffL),
  I32(Integer.MIN_VALUE, Integer.MAX_VALUE),
  /** As far as job files can write it. */
  U64(0, Long.MAX_VALUE),
  I64(Long.MIN_VALUE, Long.MAX_VALUE),
  F32(0, 0),
  F64(0, 0);

  private final long min;
  private final long max;

  Scalar(long min, long max) {
    this.min = min;
    this.max = max;
  }

  /** The kind that a program's entry calls {@code text}. */
  static Optional<Scalar> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isReal() {
    return this == F32 || this == F64;
  }

  /** The smallest whole number. */
  long min() {
    return min;
  }

  /** The largest whole number. */
  long max() {
    return max;
  }

  /** The bits of a real number. */
  long bits(double value) {
    return this == F32 ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value);
  }

  void write(CommandWriter writer, long bits) {
    switch (this) {
      case U32 -> writer.argU32((int) bits);
      case I32 -> writer.argI32((int) bits);
      case U64 -> writer.argU64(bits);
      case I64 -> writer.argI64(bits);
      case F32 -> writer.argF32(Float.intBitsToFloat((int) bits));
      case F64 -> writer.argF64(Double.longBitsToDouble(bits));
    }
  }
}
