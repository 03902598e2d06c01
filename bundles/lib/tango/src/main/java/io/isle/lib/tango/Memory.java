package io.isle.lib.tango;

import static io.isle.lib.tango.TangoLayout.LONG;

import java.lang.foreign.MemorySegment;

/** Checks of memory that another program made; the facade for restricted methods. */
final class Memory {
  private Memory() {}

  /**
   * The same bytes with the same lifetime and rights, as an object of one class for mapped files
   * and other memory: what is compiled for both would allocate a slice for each access.
   */
  @SuppressWarnings("restricted")
  static MemorySegment uniform(MemorySegment memory) {
    return memory.reinterpret(memory.byteSize());
  }

  /** All memory of the process: each offset is an address. */
  @SuppressWarnings("restricted")
  static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  static void require(String what, MemorySegment memory, long bytes, int align) {
    if (memory.byteSize() < bytes) {
      throw new IllegalArgumentException(
          what + " has " + bytes + " bytes, and only " + memory.byteSize() + " are there");
    }
    if (!memory.isNative()) {
      throw new IllegalArgumentException(what + " does not lie in the heap");
    }
    if (memory.address() % align != 0) {
      throw new IllegalArgumentException(
          what + " lies at a multiple of " + align + ", not at " + memory.address());
    }
  }

  /** The magic number is the first word, and written last. */
  static void requireMagic(String what, MemorySegment memory, long magic) {
    long found = (long) LONG.getAcquire(memory, 0L);
    if (found != magic) {
      throw new IllegalArgumentException(
          "magic of " + what + " is 0x%016x, not 0x%016x".formatted(found, magic));
    }
  }
}
