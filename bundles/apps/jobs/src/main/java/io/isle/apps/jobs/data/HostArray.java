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

  /** Its elements. */
  public long elements() {
    return Dims.elements(shape);
  }

  /** An element as a double. */
  public double real(long index) {
    return type.real(bytes, index);
  }
}
