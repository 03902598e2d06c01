package io.isle.net.xdp.bpf;

import io.isle.lib.ffi.Bpf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Counts, by queue, frames that match a program whose queue has no socket. */
public final class MissCounters extends BpfMap {
  /**
   * Counters at 0.
   *
   * @param queues 1 or more; frames of later queues count for the last
   * @throws io.isle.api.net.NetException EPERM and others
   */
  public MissCounters(int queues) {
    super(Bpf.MAP_ARRAY, Long.BYTES, queues, "isle_misses");
  }

  /** Frames of a queue so far. */
  public long count(int queue) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
      int ignored =
          Kernel.checked(
              Bpf.lookup(descriptor(), key(arena, queue), value), "counter of queue " + queue);
      return value.get(ValueLayout.JAVA_LONG, 0);
    }
  }
}
