package io.isle.spin.nic.hpus;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.driver.HandlerUnits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The memories of a context that HPUs use, mapped, in the order of the interface {@code hpu}. */
final class HandlerMemory {
  static final int RINGS = 0;
  static final int PACKETS = 1;
  static final int HANDLER = 2;
  static final int SCRATCHPADS = 3;
  static final int HOST_DATA = 4;
  static final int HOST = 5;

  /** Contents are lost with each recovery, so the first call after several may fail as often. */
  private static final int TRIES = 16;

  private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Mapping> mappings = new ArrayList<>();
  private final MemorySegment[] segments = new MemorySegment[HandlerUnits.MEMORIES];

  /** Allocates in a context, which frees what there is after a failure. */
  HandlerMemory(Context context, long[] sizes) {
    for (long size : sizes) {
      Buffer buffer = size == 0 ? null : context.allocate(size, Buffer.COHERENT);
      buffers.add(buffer);
      mappings.add(buffer == null ? null : buffer.map());
    }
    renew();
  }

  long[] ids() {
    return buffers.stream().mapToLong(buffer -> buffer == null ? 0 : buffer.id()).toArray();
  }

  /** Finds where the memory is now. */
  void renew() {
    for (int i = 0; i < segments.length; i++) {
      segments[i] = mappings.get(i) == null ? NONE : segment(mappings.get(i));
    }
  }

  private static MemorySegment segment(Mapping mapping) {
    for (int i = 1; ; i++) {
      try {
        return mapping.segment();
      } catch (AccelException e) {
        if (e.code() != Errno.EINTR || i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Zeros, and the first bytes of handler memory. */
  void fill(byte[] init) {
    for (int i = 0; i < segments.length; i++) {
      segments[i].fill((byte) 0);
      if (i == HANDLER) {
        MemorySegment.copy(MemorySegment.ofArray(init), 0, segments[i], 0, init.length);
      }
      if (mappings.get(i) != null) {
        mappings.get(i).flush(0, segments[i].byteSize());
      }
    }
  }

  MemorySegment segment(int memory) {
    return segments[memory];
  }

  SpinRings rings() {
    return new SpinRings(segments[RINGS], segments[PACKETS], segments[HOST_DATA], segments[HOST]);
  }
}
