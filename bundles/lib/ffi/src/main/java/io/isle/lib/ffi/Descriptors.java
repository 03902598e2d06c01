package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** File descriptors. */
final class Descriptors {
  private Descriptors() {}

  /** Closes a descriptor; a failure to do so is a defect of the caller. */
  static void close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.CLOSE.invokeExact(state, descriptor) != 0) {
        throw LibC.failure("close " + descriptor, state);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
