package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;

/**
 * The header of GRE without options: 4 bytes. Offsets are those of the header's first byte. Pure
 * functions, safe for any thread. Allocates nothing.
 */
public final class Gre {
  /** Bytes of a header without options. */
  public static final int HEADER_BYTES = 4;

  private static final int PROTOCOL = 2;

  private Gre() {}

  /** Flags and version; 0 for a header of 4 bytes of version 0. */
  public static int flags(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset);
  }

  /** Type of the payload, such as {@link Ethernet#TYPE_IPV4}. */
  public static int protocol(MemorySegment memory, long offset) {
    return Fields.u16(memory, offset + PROTOCOL);
  }

  /** Writes a header of 4 bytes. */
  public static void write(MemorySegment memory, long offset, int protocol) {
    Fields.u16(memory, offset, 0);
    Fields.u16(memory, offset + PROTOCOL, protocol);
  }
}
