package io.isle.itests;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The input files of the table of kernels: 64 elements, numbered from 0, but for the big one. */
final class KernelInputs {
  static final int COUNT = 64;

  /** Two pieces and a bit, as jobs cut files. */
  static final int MANY = 2_500_000;

  private KernelInputs() {}

  /** Exact as f32, and an eighth of it as f16. */
  static float x(int i) {
    return (i * 37 % 64 - 20) / 4f;
  }

  static int u(int i) {
    return i * 0x9E3779B1;
  }

  static long l(int i) {
    return i * 0x9E3779B97F4A7C15L;
  }

  static double d(int i) {
    return (i - 31) * 0.1;
  }

  static int b(int i) {
    return i * 7 + 3 & 0xff;
  }

  static int s(int i) {
    return i * 1021 - 32000;
  }

  static float h(int i) {
    return x(i) / 8;
  }

  static void write(Path folder) throws IOException {
    file(folder, "x.f32", COUNT, 4, (to, i) -> to.putFloat(x(i)));
    file(folder, "x48.f32", 48, 4, (to, i) -> to.putFloat(x(i)));
    file(folder, "u.u32", COUNT, 4, (to, i) -> to.putInt(u(i)));
    file(folder, "l.i64", COUNT, 8, (to, i) -> to.putLong(l(i)));
    file(folder, "d.f64", COUNT, 8, (to, i) -> to.putDouble(d(i)));
    file(folder, "b.u8", COUNT, 1, (to, i) -> to.put((byte) b(i)));
    file(folder, "s.i16", COUNT, 2, (to, i) -> to.putShort((short) s(i)));
    file(folder, "h.f16", COUNT, 2, (to, i) -> to.putShort(Float.floatToFloat16(h(i))));
    file(folder, "big", MANY, 4, (to, i) -> to.putInt(u(i)));
    file(folder, "records", COUNT / 4, 24, KernelInputs::record);
  }

  /** {@code struct {uchar tag; double v; short s[3];}} as C lays it out. */
  private static void record(ByteBuffer to, int i) {
    to.putLong(i).putDouble(i * 0.5);
    to.putShort((short) i).putShort((short) -i).putShort((short) (3 * i)).putShort((short) 0);
  }

  /** Writes the element of a number. */
  @FunctionalInterface
  interface Element {
    void put(ByteBuffer to, int number);
  }

  static byte[] bytes(int count, int size, Element element) {
    ByteBuffer bytes = ByteBuffer.allocate(count * size).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      element.put(bytes, i);
    }
    return bytes.array();
  }

  private static void file(Path folder, String name, int count, int size, Element element)
      throws IOException {
    Files.write(folder.resolve(name), bytes(count, size, element));
  }
}
