package io.isle.fabric.ring.isle;

import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.FrameProgress;
import io.isle.lib.leap.Reassembly;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;

/**
 * The checksum of the next frame of a reassembly, made of its first chunks while these are still in
 * the cache. One thread at a time. Allocates only when a buffer comes for the first time.
 */
final class FrameChecks {
  private final FrameProgress frames;
  private final FrameCrc[] checks = new FrameCrc[Reassembly.WINDOW];
  private final long[] addresses = new long[Reassembly.WINDOW];
  private int count;

  /** That of the next frame, once its header is here. */
  private FrameCrc check;

  /** Bytes of the next frame that are in its checksum, and their whole chunks. */
  private int added;

  private int chunks;

  FrameChecks(FrameProgress frames) {
    this.frames = frames;
  }

  /** Adds what has arrived of the next frame, up to its first missing chunk. */
  void advance() {
    int total = frames.total(0);
    int missing = total == 0 ? 0 : frames.missing(0, chunks);
    if (missing <= chunks) {
      return;
    }
    int end = missing == total ? frames.bytes(0) : missing * ChunkHeader.PAYLOAD_BYTES;
    if (added == 0) {
      if (end < IsleFrame.HEADER_BYTES) {
        return;
      }
      check = of(frames.memory(0));
      check.begin(0, IsleFrame.HEADER_BYTES);
      added = IsleFrame.HEADER_BYTES;
    }
    check.add(added, end - added);
    added = end;
    chunks = missing;
  }

  /** Whether the next frame, which is whole, has its checksum. */
  boolean matches() {
    advance();
    return added != 0 && check.matches(0);
  }

  /** Another frame is next. */
  void next() {
    added = 0;
    chunks = 0;
  }

  private FrameCrc of(MemorySegment buffer) {
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
