package io.isle.apps.jobs.data;

import io.isle.apps.jobs.formula.Rational;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What the elements of a buffer are; little-endian, as devices and files hold them. */
public enum ElementType {
  U8(1, "|u1"),
  I8(1, "|i1"),
  U16(2, "<u2"),
  I16(2, "<i2"),
  U32(4, "<u4"),
  I32(4, "<i4"),
  U64(8, "<u8"),
  I64(8, "<i8"),
  F16(2, "<f2"),
  F32(4, "<f4"),
  F64(8, "<f8");

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int bytes;
  private final String descr;

  ElementType(int bytes, String descr) {
    this.bytes = bytes;
    this.descr = descr;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** As job files write it, such as {@code f32}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As {@code .npy} headers write it, such as {@code <f4}. */
  public String descr() {
    return descr;
  }

  /** Whether the elements are floating-point numbers. */
  public boolean isReal() {
    return this == F16 || this == F32 || this == F64;
  }

  /** All as {@code .npy} headers write them, for messages. */
  static String descrs() {
    return Arrays.stream(values()).map(ElementType::descr).collect(Collectors.joining(", "));
  }

  /** The type of a {@code .npy} header; of one byte, the order may be written or not. */
  static Optional<ElementType> ofDescr(String descr) {
    String wanted =
        descr.length() == 3 && descr.endsWith("1") && "|<=>".indexOf(descr.charAt(0)) >= 0
            ? "|" + descr.substring(1)
            : descr;
    return Arrays.stream(values()).filter(type -> type.descr.equals(wanted)).findFirst();
  }

  /** An element as a double; exact but for whole numbers beyond 2^53. */
  public double real(MemorySegment from, long index) {
    return switch (this) {
      case F16 -> Float.float16ToFloat(from.get(SHORT, 2 * index));
      case F32 -> Float.intBitsToFloat(from.get(INT, 4 * index));
      case F64 -> Double.longBitsToDouble(from.get(LONG, 8 * index));
      case U64 -> unsigned(from.get(LONG, 8 * index));
      default -> whole(from, index);
    };
  }

  private static double unsigned(long bits) {
    return bits >= 0 ? (double) bits : (bits >>> 1 | bits & 1) * 2.0;
  }

  /** The bits of an element; whole numbers with their sign, u64 beyond 2^63 as negative ones. */
  public long whole(MemorySegment from, long index) {
    return switch (this) {
      case U8 -> from.get(ValueLayout.JAVA_BYTE, index) & 0xffL;
      case I8 -> from.get(ValueLayout.JAVA_BYTE, index);
      case U16 -> from.get(SHORT, 2 * index) & 0xffffL;
      case I16, F16 -> from.get(SHORT, 2 * index);
      case I32, F32 -> from.get(INT, 4 * index);
      case U32 -> from.get(INT, 4 * index) & 0xffff_ffffL;
      case U64, I64, F64 -> from.get(LONG, 8 * index);
    };
  }

  /** Sets an element from its bits, of which only the lowest count. */
  public void setWhole(MemorySegment to, long index, long bits) {
    switch (bytes) {
      case 1 -> to.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
      case 2 -> to.set(SHORT, 2 * index, (short) bits);
      case 4 -> to.set(INT, 4 * index, (int) bits);
      default -> to.set(LONG, 8 * index, bits);
    }
  }

  /** Sets an element of a floating-point type. */
  public void setReal(MemorySegment to, long index, double value) {
    setWhole(to, index, realBits(value));
  }

  private long realBits(double value) {
    return switch (this) {
      case F16 -> Float.floatToFloat16((float) value);
      case F32 -> Float.floatToRawIntBits((float) value);
      default -> Double.doubleToRawLongBits(value);
    };
  }

  /** Bits of an infinity or of what is not a number; of a floating-point type. */
  public long specialBits(double value) {
    return realBits(value);
  }

  /**
   * The bits of a number, low-aligned; floating-point numbers are rounded to the nearest.
   *
   * @return empty for a number out of range, and of an integer type for one that is not whole
   */
  public OptionalLong bits(Rational value) {
    if (isReal()) {
      double real =
          switch (this) {
            case F16 -> value.half();
            case F32 -> value.single();
            default -> value.real();
          };
      return Double.isFinite(real) ? OptionalLong.of(realBits(real)) : OptionalLong.empty();
    }
    BigInteger whole = value.numerator();
    boolean fits =
        value.isWhole()
            && (isSigned()
                ? whole.bitLength() < 8 * bytes
                : whole.signum() >= 0 && whole.bitLength() <= 8 * bytes);
    return fits ? OptionalLong.of(whole.longValue()) : OptionalLong.empty();
  }

  private boolean isSigned() {
    return name().charAt(0) == 'I';
  }

  /** The numbers that it has, for messages: {@code 0..255}. */
  public String range() {
    return switch (this) {
      case F16 -> "-65504..65504";
      case F32 -> "-3.4028235e38..3.4028235e38";
      case F64 -> "-1.7976931348623157e308..1.7976931348623157e308";
      default -> {
        BigInteger end = BigInteger.ONE.shiftLeft(isSigned() ? 8 * bytes - 1 : 8 * bytes);
        yield (isSigned() ? end.negate() : "0") + ".." + end.subtract(BigInteger.ONE);
      }
    };
  }

  /**
   * A number that orders elements when compared unsigned: whole numbers by value, floating-point
   * ones by IEEE 754's total order.
   */
  public long key(MemorySegment from, long index) {
    long bits = whole(from, index);
    return switch (this) {
      case U8, U16, U32, U64 -> bits;
      case I8, I16, I32, I64 -> bits ^ Long.MIN_VALUE;
      case F16 -> (bits < 0 ? ~bits : bits ^ 0x8000) & 0xffffL;
      case F32 -> (bits < 0 ? ~bits : bits ^ 0x8000_0000L) & 0xffff_ffffL;
      case F64 -> bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    };
  }

  /** Sets an element from its {@link #key}. */
  public void setKey(MemorySegment to, long index, long key) {
    setWhole(
        to,
        index,
        switch (this) {
          case U8, U16, U32, U64 -> key;
          case I8, I16, I32, I64 -> key ^ Long.MIN_VALUE;
          case F16 -> (key & 0x8000) != 0 ? key ^ 0x8000 : ~key;
          case F32 -> (key & 0x8000_0000L) != 0 ? key ^ 0x8000_0000L : ~key;
          case F64 -> key < 0 ? key ^ Long.MIN_VALUE : ~key;
        });
  }

  /** An element for people. */
  public String show(MemorySegment from, long index) {
    return switch (this) {
      case F16, F32 -> Float.toString((float) real(from, index));
      case F64 -> Double.toString(real(from, index));
      case U64 -> Long.toUnsignedString(whole(from, index));
      default -> Long.toString(whole(from, index));
    };
  }
}
