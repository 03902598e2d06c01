package io.isle.net.xdp.host.wire;

import java.lang.foreign.MemorySegment;

/**
 * Memory that the process of a tile maps, too.
 *
 * @param memory as mapped here, from {@code offset} on
 * @param descriptor passed on; a reopening for reading where the process may only read
 * @param offset for mmap
 */
public record TileFile(MemorySegment memory, int descriptor, long offset, Access access) {
  /** How the process maps the memory. */
  public enum Access {
    READ,
    WRITE,
    /** A ring of a socket: for writing, with all pages present. */
    RING
  }

  /** All of a file. */
  public TileFile(MemorySegment memory, int descriptor, Access access) {
    this(memory, descriptor, 0, access);
  }

  /** Whether all of a segment is in this memory. */
  boolean has(MemorySegment segment) {
    long at = segment.address() - memory.address();
    return at >= 0 && at <= memory.byteSize() - segment.byteSize();
  }
}
