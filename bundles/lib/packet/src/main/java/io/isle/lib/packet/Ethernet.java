package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;

/**
 * The header of an Ethernet frame without a VLAN tag: 14 bytes. Addresses are the low 48 bits of a
 * long, first byte highest. Pure functions, safe for any thread. Allocates nothing.
 */
public final class Ethernet {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 14;

  /** Type of IPv4. */
  public static final int TYPE_IPV4 = 0x0800;

  /** Type of ARP. */
  public static final int TYPE_ARP = 0x0806;

  /** Type of a VLAN tag, behind which the type of the payload follows. */
  public static final int TYPE_VLAN = 0x8100;

  /** The address of all stations. */
  public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

  private static final int SOURCE = 6;
  private static final int TYPE = 12;

  private Ethernet() {}

  /** Address of the receiver. */
  public static long destination(MemorySegment frame, long offset) {
    return address(frame, offset);
  }

  /** Address of the sender. */
  public static long source(MemorySegment frame, long offset) {
    return address(frame, offset + SOURCE);
  }

  /** Type of the payload, such as {@link #TYPE_IPV4}; 0 to 65535. */
  public static int type(MemorySegment frame, long offset) {
    return Fields.u16(frame, offset + TYPE);
  }

  /** Writes a header. */
  public static void write(
      MemorySegment frame, long offset, long destination, long source, int type) {
    addresses(frame, offset, destination, source);
    Fields.u16(frame, offset + TYPE, type);
  }

  /** Writes both addresses and leaves the type. */
  public static void addresses(MemorySegment frame, long offset, long destination, long source) {
    address(frame, offset, destination);
    address(frame, offset + SOURCE, source);
  }

  private static long address(MemorySegment frame, long at) {
    return (long) Fields.u16(frame, at) << 32 | Integer.toUnsignedLong(Fields.u32(frame, at + 2));
  }

  private static void address(MemorySegment frame, long at, long address) {
    Fields.u16(frame, at, (int) (address >>> 32));
    Fields.u32(frame, at + 2, (int) address);
  }
}
