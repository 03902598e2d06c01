package io.isle.itests;

import static io.isle.itests.KernelInputs.COUNT;
import static io.isle.itests.KernelInputs.b;
import static io.isle.itests.KernelInputs.d;
import static io.isle.itests.KernelInputs.h;
import static io.isle.itests.KernelInputs.l;
import static io.isle.itests.KernelInputs.s;
import static io.isle.itests.KernelInputs.u;
import static io.isle.itests.KernelInputs.x;

import io.isle.itests.KernelInputs.Element;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What the kernels of the table compute, by their definitions. */
final class KernelResults {
  private KernelResults() {}

  /** The contents of the file {@code y}. */
  static byte[] of(String name) {
    return switch (name) {
      case "saxpy" -> floats(COUNT, i -> 3.5f * x(i) + 1);
      case "hidden_scalars" -> ints(200, 0xab, 1, 9);
      case "in_double" -> KernelInputs.bytes(COUNT, 8, (to, i) -> to.putDouble(d(i) * 0.1));
      case "bytes_wrap" -> KernelInputs.bytes(COUNT, 1, (to, i) -> to.put((byte) (b(i) + 250)));
      case "shorts_saturate" -> {
        IntUnaryOperator sum = i -> Math.clamp(s(i) - 30000, Short.MIN_VALUE, Short.MAX_VALUE);
        yield KernelInputs.bytes(COUNT, 2, (to, i) -> to.putShort((short) sum.applyAsInt(i)));
      }
      case "high_words" ->
          longs(
              IntStream.range(0, COUNT)
                  .mapToLong(i -> Math.unsignedMultiplyHigh(l(i), 0xfedcba9876543210L)));
      case "halves" ->
          KernelInputs.bytes(COUNT, 2, (to, i) -> to.putShort(Float.floatToFloat16(h(i) * 2)));
      case "conversions" ->
          ints(
              COUNT,
              i ->
                  (int) Math.clamp(Math.rint(x(i) * 10), 0, 255)
                      | Integer.bitCount(Float.floatToIntBits(x(i))) << 8);
      case "specials" -> floats(4, _ -> 1);
      case "extremes" ->
          longs(LongStream.of(-1, Long.MIN_VALUE, Integer.MIN_VALUE, 0xffff_ffffL, -128, 0xffff));
      case "formulas" ->
          ints(
              COUNT,
              i ->
                  switch (i) {
                    case 0 -> COUNT << 2;
                    case 1 -> 100 % 7;
                    case 2 -> 7;
                    case 3 -> 7;
                    case 4 -> 12 * 2;
                    default -> u(i);
                  });
      case "twenty_four" -> ints(COUNT, i -> u(i) + 1 + IntStream.rangeClosed(5, 15).sum());
      case "unused_argument" -> ints(COUNT, _ -> 8);
      case "sixty_four" -> ints(IntStream.range(0, 63).sum());
      case "float3_rows" -> floats(48, i -> x(i / 3 * 4 + (i % 3 + 1) % 3));
      case "packed_rows" -> floats(48, i -> x(i - i % 3 + (i % 3 + 2) % 3));
      case "float4_rows" ->
          floats(COUNT / 4, i -> x(4 * i) + 2 * x(4 * i + 1) + 4 * x(4 * i + 2) + 2 * x(4 * i + 3));
      case "vectors" -> {
        double[] values = {-1, 2, 200, 0.2, 16.5, -3, 0x1p63};
        yield KernelInputs.bytes(7, 8, (to, i) -> to.putDouble(values[i]));
      }
      case "struct_buffer" ->
          KernelInputs.bytes(
              COUNT / 4, 24, (to, i) -> to.putLong(i + 1).putDouble(i).putInt(0).putInt(i));
      case "struct_argument" -> floats(-7, 255, 4.5f, 65536);
      case "packed_argument" -> ints(0xff, 1, 0x1234);
      case "union_argument" -> floats(-1.5f);
      case "wide_argument" -> ints(3);
      default -> MemoryResults.of(name);
    };
  }

  static byte[] ints(int... values) {
    return ints(values.length, i -> values[i]);
  }

  static byte[] ints(int count, IntUnaryOperator value) {
    Element element = (to, i) -> to.putInt(value.applyAsInt(i));
    return KernelInputs.bytes(count, 4, element);
  }

  static byte[] floats(float... values) {
    return floats(values.length, i -> values[i]);
  }

  /** Of values that are exact as f32. */
  static byte[] floats(int count, IntToDoubleFunction value) {
    return KernelInputs.bytes(count, 4, (to, i) -> to.putFloat((float) value.applyAsDouble(i)));
  }

  static byte[] longs(LongStream values) {
    long[] all = values.toArray();
    return KernelInputs.bytes(all.length, 8, (to, i) -> to.putLong(all[i]));
  }
}
