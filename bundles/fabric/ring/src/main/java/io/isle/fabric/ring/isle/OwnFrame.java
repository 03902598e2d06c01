package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The frame without a number that a path sends at the moment. */
final class OwnFrame {
  /** Offset of the payload. */
  static final long PAYLOAD = IsleFrame.HEADER_BYTES;

  final MemorySegment memory;
  private final FrameCrc check;

  OwnFrame(Arena arena) {
    memory = arena.allocate(IsleFrame.HEADER_BYTES + IsleFrame.MIN_CAPACITY, 64);
    check = Checks.of(memory);
  }

  /** Completes the frame behind its payload; returns its bytes. */
  int seal(int kind, int payload, long nowNs) {
    IsleFrame.header(memory, 0, kind, 0, payload, nowNs);
    check.seal(0, payload);
    return IsleFrame.HEADER_BYTES + payload;
  }
}
