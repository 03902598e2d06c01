package io.isle.apps.jobs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What loops over {@code step-u32} make, as nested loops of Java say it. */
final class LoopReference {
  private LoopReference() {}

  /** {@code {for: t, to: turns}, {program: step-u32, args: [a, b, t]}, swap: [a, b]}}. */
  static int[] steps(int[] from, int turns) {
    int[] values = from.clone();
    for (int t = 0; t < turns; t++) {
      step(values, t);
    }
    return values;
  }

  /** One dispatch. */
  static void step(int[] values, int more) {
    for (int i = 0; i < values.length; i++) {
      values[i] = 3 * values[i] + more;
    }
  }

  static byte[] raw(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(values);
    return bytes.array();
  }
}
