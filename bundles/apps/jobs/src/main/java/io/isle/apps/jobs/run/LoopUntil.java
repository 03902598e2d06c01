package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * An element of a buffer that ends a loop. Immutable.
 *
 * @param name number of the buffer's name
 * @param index of the element
 * @param check turns from one look at it to the next
 */
record LoopUntil(int name, long index, ElementType type, Goal goal, long check) {
  /** What the element is compared with. */
  interface Goal {
    /** Whether the first element of {@code memory} ends the loop. */
    boolean holds(ElementType type, MemorySegment memory);
  }

  long offset() {
    return index * type.bytes();
  }

  boolean holds(MemorySegment element) {
    return goal.holds(type, element);
  }
}
