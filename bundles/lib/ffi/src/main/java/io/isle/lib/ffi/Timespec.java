package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A relative time limit as the kernel reads it, over repeated calls. One thread at a time. */
final class Timespec {
  private static final long SECOND = 1_000_000_000L;

  private final MemorySegment memory = SocketLib.memory(16);
  private long start;
  private long limit;

  /** Begins with a limit in nanoseconds; 0 or less does not wait. */
  MemorySegment begin(long timeoutNs) {
    limit = Math.max(0, timeoutNs);
    start = limit == 0 ? 0 : System.nanoTime();
    return set(limit);
  }

  /** The same limit, less the time since its begin. */
  MemorySegment rest() {
    return set(limit == 0 ? 0 : Math.max(0, limit - (System.nanoTime() - start)));
  }

  /** The time of the memory in milliseconds, rounded up. */
  int milliseconds() {
    long seconds = memory.get(ValueLayout.JAVA_LONG, 0);
    if (seconds > Integer.MAX_VALUE / 1000 - 1) {
      return Integer.MAX_VALUE;
    }
    long nanoseconds = memory.get(ValueLayout.JAVA_LONG, 8);
    return (int) (seconds * 1000 + (nanoseconds + 999_999) / 1_000_000);
  }

  private MemorySegment set(long nanoseconds) {
    memory.set(ValueLayout.JAVA_LONG, 0, nanoseconds / SECOND);
    memory.set(ValueLayout.JAVA_LONG, 8, nanoseconds % SECOND);
    return memory;
  }
}
