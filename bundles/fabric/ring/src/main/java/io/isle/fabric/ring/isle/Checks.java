package io.isle.fabric.ring.isle;

import io.isle.lib.ffi.MemoryView;
import io.isle.lib.leap.isle.FrameCrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Checksums of buffers that belong to a link, whose driving thread also frees them. */
final class Checks {
  private Checks() {}

  /**
   * Checksums of the frames in a buffer.
   *
   * @param buffer native
   */
  static FrameCrc of(MemorySegment buffer) {
    return new FrameCrc(buffer, MemoryView.of(buffer, Arena.global()));
  }
}
