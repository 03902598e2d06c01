package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;

/**
 * All memory of the process as one segment. An access by a {@link MemorySegment} looks at the
 * segment's kind, bounds, thread and lifetime, which takes three times as long as the access.
 * Layouts of tiles check bounds once, when they are made, and mask or compare each index from
 * outside; who owns the memory keeps it mapped until the tile is closed.
 */
public final class RawMemory {
  /** Each offset is an address. */
  public static final MemorySegment ALL = all();

  private RawMemory() {}

  @SuppressWarnings("restricted")
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /**
   * Address of memory that is mapped.
   *
   * @param align power of two that the address is a multiple of
   * @throws IllegalArgumentException for memory of the heap, or at another address
   */
  public static long address(MemorySegment memory, int align) {
    if (!memory.isNative() || memory.address() % align != 0) {
      throw new IllegalArgumentException(
          "memory of a tile is not mapped at a multiple of " + align + " bytes");
    }
    return memory.address();
  }
}
