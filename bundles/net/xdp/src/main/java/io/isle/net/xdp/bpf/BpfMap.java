package io.isle.net.xdp.bpf;

import io.isle.lib.ffi.Bpf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A map of the kernel by index. Thread-safe, but for {@link #close}. */
public abstract sealed class BpfMap implements AutoCloseable permits XskMap, MissCounters {
  private final int descriptor;
  private final int entries;
  private boolean closed;

  BpfMap(int type, int valueBytes, int entries, String name) {
    this.entries = entries;
    this.descriptor =
        Kernel.checked(
            Bpf.createMap(type, Integer.BYTES, valueBytes, entries, name),
            "map " + name + " of " + entries + " entries");
  }

  /** Descriptor of the map, valid until {@link #close}. */
  public final int descriptor() {
    return descriptor;
  }

  /** Number of indexes. */
  public final int entries() {
    return entries;
  }

  /** A key in native memory. */
  static MemorySegment key(Arena arena, int index) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, index);
  }

  /** Loaded programs keep the map. Idempotent. */
  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      Kernel.close(descriptor);
    }
  }
}
