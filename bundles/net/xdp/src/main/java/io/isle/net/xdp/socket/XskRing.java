package io.isle.net.xdp.socket;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.isle.lib.ffi.Mapping;
import io.isle.lib.tile.KernelRing;
import io.isle.lib.tile.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A ring of a socket, as mapped here, and how another process maps the same ring.
 *
 * @param memory all bytes of the mapping
 * @param mapOffset offset for mmap of the socket's descriptor
 */
public record XskRing(MemorySegment memory, RingLayout layout, long mapOffset) {
  /** The rings of a socket, in the order of the kernel's offsets. */
  enum Kind {
    RX(Xdp.RX_RING, 0L, RingLayout.DESCRIPTOR_BYTES),
    TX(Xdp.TX_RING, 0x80000000L, RingLayout.DESCRIPTOR_BYTES),
    FILL(Xdp.UMEM_FILL_RING, 0x100000000L, RingLayout.ADDRESS_BYTES),
    COMPLETION(Xdp.UMEM_COMPLETION_RING, 0x180000000L, RingLayout.ADDRESS_BYTES);

    private final int option;
    private final long mapOffset;
    private final int entryBytes;

    Kind(int option, long mapOffset, int entryBytes) {
      this.option = option;
      this.mapOffset = mapOffset;
      this.entryBytes = entryBytes;
    }

    /** The option that makes the ring. */
    int option() {
      return option;
    }
  }

  /**
   * Maps a ring.
   *
   * @param offsets structure xdp_mmap_offsets
   */
  static XskRing map(int descriptor, Kind kind, int size, MemorySegment offsets, Arena arena) {
    long at = (long) kind.ordinal() * Xdp.OFFSETS_OF_RING;
    RingLayout layout =
        new RingLayout(
            offsets.get(JAVA_LONG, at),
            offsets.get(JAVA_LONG, at + 8),
            offsets.get(JAVA_LONG, at + 24),
            offsets.get(JAVA_LONG, at + 16),
            size,
            kind.entryBytes);
    MemorySegment memory = Mapping.populated(descriptor, kind.mapOffset, layout.bytes(), arena);
    return new XskRing(memory, layout, kind.mapOffset);
  }

  /** One side of the ring, for one thread. */
  public KernelRing side() {
    return new KernelRing(memory, layout);
  }
}
