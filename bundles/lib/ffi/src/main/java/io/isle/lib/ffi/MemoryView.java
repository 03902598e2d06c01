package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Segments of memory whose owner can end the access of others. */
public final class MemoryView {
  private MemoryView() {}

  /**
   * A segment of the same bytes with a lifetime of its own. The owner unmaps the memory only after
   * the close of {@code lifetime}.
   *
   * @param memory native
   * @param lifetime its close ends each access by the view with an IllegalStateException
   */
  @SuppressWarnings("restricted")
  public static MemorySegment of(MemorySegment memory, Arena lifetime) {
    return MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize(), lifetime, null);
  }
}
