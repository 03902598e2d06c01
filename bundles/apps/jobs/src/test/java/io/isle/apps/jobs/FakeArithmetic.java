package io.isle.apps.jobs;

import io.isle.apps.jobs.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** Programs of {@link FakePrograms} with several buffers, and one that works in place. */
final class FakeArithmetic {
  private FakeArithmetic() {}

  /** Bytes a + b, element by element. */
  static void add(List<MemorySegment> buffers, long count) {
    for (long i = 0; i < count; i++) {
      int sum =
          buffers.get(0).get(ValueLayout.JAVA_BYTE, i)
              + buffers.get(1).get(ValueLayout.JAVA_BYTE, i);
      buffers.get(2).set(ValueLayout.JAVA_BYTE, i, (byte) sum);
    }
  }

  /** y + x becomes y. */
  static void accumulate(List<MemorySegment> buffers, long count) {
    for (long i = 0; i < count; i++) {
      double sum =
          ElementType.F32.real(buffers.get(1), i) + ElementType.F32.real(buffers.get(0), i);
      ElementType.F32.setReal(buffers.get(1), i, sum);
    }
  }

  /** 2 * x becomes y, and x zero. */
  static void consume(List<MemorySegment> buffers, long count) {
    for (long i = 0; i < count; i++) {
      ElementType.F32.setReal(buffers.get(1), i, 2 * ElementType.F32.real(buffers.get(0), i));
      ElementType.F32.setReal(buffers.get(0), i, 0);
    }
  }

  /** x + t[0] becomes y, and t[0] zero. */
  static void table(List<MemorySegment> buffers, long count) {
    double first = ElementType.F32.real(buffers.get(1), 0);
    for (long i = 0; i < count; i++) {
      ElementType.F32.setReal(buffers.get(2), i, ElementType.F32.real(buffers.get(0), i) + first);
    }
    ElementType.F32.setReal(buffers.get(1), 0, 0);
  }

  static void scale(List<MemorySegment> buffers, float factor, long count) {
    for (long i = 0; i < count; i++) {
      ElementType.F32.setReal(buffers.get(1), i, ElementType.F32.real(buffers.get(0), i) * factor);
    }
  }

  static void multiply(List<MemorySegment> buffers, List<Long> sizes) {
    long m = sizes.get(0);
    long n = sizes.get(1);
    long k = sizes.get(2);
    for (long i = 0; i < m; i++) {
      for (long j = 0; j < n; j++) {
        float sum = 0;
        for (long l = 0; l < k; l++) {
          sum +=
              (float)
                  (ElementType.F32.real(buffers.get(0), i * k + l)
                      * ElementType.F32.real(buffers.get(1), l * n + j));
        }
        ElementType.F32.setReal(buffers.get(2), i * n + j, sum);
      }
    }
  }

  static void fill(MemorySegment data, long value) {
    for (long i = 0; i < data.byteSize() / Integer.BYTES; i++) {
      ElementType.U32.setWhole(data, i, value);
    }
  }

  /** The second is three times the first, and more: no order of steps does but the right one. */
  static void step(List<MemorySegment> buffers, long more) {
    for (long i = 0; i < buffers.get(0).byteSize() / Integer.BYTES; i++) {
      ElementType.U32.setWhole(
          buffers.get(1), i, 3 * ElementType.U32.whole(buffers.get(0), i) + more);
    }
  }

  static long first(List<MemorySegment> buffers) {
    return ElementType.U32.whole(buffers.getFirst(), 0);
  }

  /** Its first element is one less. */
  static void down(MemorySegment data) {
    ElementType.U32.setWhole(data, 0, ElementType.U32.whole(data, 0) - 1);
  }

  /** All of the buffer; the kind is one of the driver ABI's. */
  static void sort(MemorySegment data, long kind) {
    ElementType type =
        switch ((int) kind) {
          case 2 -> ElementType.U32;
          case 3 -> ElementType.I32;
          case 4 -> ElementType.U64;
          default -> ElementType.F32;
        };
    long[] keys = new long[(int) (data.byteSize() / type.bytes())];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = type.key(data, i) ^ Long.MIN_VALUE;
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      type.setKey(data, i, keys[i] ^ Long.MIN_VALUE);
    }
  }
}
