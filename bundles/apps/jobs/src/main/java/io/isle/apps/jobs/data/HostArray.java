package io.isle.apps.jobs.data;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** An array in the JVM's memory, elements in C order. */
public record HostArray(ElementType type, List<Long> shape, MemorySegment bytes) {
  public HostArray {
    shape = List.copyOf(shape);
  }

  /** A new one, all zeros; aligned to any element. */
  public static HostArray allocate(Arena arena, ElementType type, List<Long> shape) {
    long bytes = Math.max(1, Dims.elements(shape) * type.bytes());
    return new HostArray(type, shape, arena.allocate(bytes, Long.BYTES));
  }

  /** The same array from elements of which the first index runs fastest. */
  public static HostArray ofColumns(
      Arena arena, ElementType type, List<Long> shape, MemorySegment columns) {
    HostArray array = allocate(arena, type, shape);
    int size = type.bytes();
    long[] index = new long[shape.size()];
    long[] strides = new long[shape.size()];
    long stride = 1;
    for (int i = 0; i < strides.length; i++) {
      strides[i] = stride;
      stride *= shape.get(i);
    }
    long from = 0;
    long count = array.elements();
    for (long to = 0; to < count; to++) {
      MemorySegment.copy(columns, from * size, array.bytes, to * size, size);
      for (int i = strides.length - 1; i >= 0; i--) {
        from += strides[i];
        if (++index[i] < shape.get(i)) {
          break;
        }
        from -= strides[i] * index[i];
        index[i] = 0;
      }
    }
    return array;
  }

  /** Its elements. */
  public long elements() {
    return Dims.elements(shape);
  }

  /** An element as a double. */
  public double real(long index) {
    return type.real(bytes, index);
  }
}
