package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Views of memory whose owner can end the access of others. */
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

  /**
   * Whether two segments are the same bytes with the same lifetime. Equality alone also holds for
   * segments of another size, and for memory that has the addresses of an earlier one.
   */
  public static boolean isSame(MemorySegment one, MemorySegment other) {
    return one.equals(other)
        && one.byteSize() == other.byteSize()
        && one.scope().equals(other.scope());
  }
}
