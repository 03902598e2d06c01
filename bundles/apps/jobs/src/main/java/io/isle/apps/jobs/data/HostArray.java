package io.isle.apps.jobs.data;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** An array in the JVM's memory, elements in C order. */
public record HostArray(ElementType type, List<Long> shape, MemorySegment bytes) {
  public HostArray {
    shape = List.copyOf(shape);
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
