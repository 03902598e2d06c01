package io.isle.fabric.ring.isle;

import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.isle.FrameCrc;
import java.lang.foreign.MemorySegment;

/** The checksums of the buffers of a reassembly, made when a buffer comes for the first time. */
final class FrameChecks {
  private final FrameCrc[] checks = new FrameCrc[Reassembly.WINDOW];
  private final long[] addresses = new long[Reassembly.WINDOW];
  private int count;

  FrameCrc of(MemorySegment buffer) {
    long address = buffer.address();
    for (int i = 0; i < count; i++) {
      if (addresses[i] == address) {
        return checks[i];
      }
    }
    addresses[count] = address;
    checks[count] = Checks.of(buffer);
    return checks[count++];
  }
}
