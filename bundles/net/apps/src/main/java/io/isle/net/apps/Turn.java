package io.isle.net.apps;

import io.isle.lib.packet.Ipv4;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Exchanges senders and receivers in headers, a pair by one access. The sums of checksums do not
 * depend on the order. Pure functions; allocates nothing.
 */
final class Turn {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final long ADDRESSES = 12;
  private static final int STATION_REST = 16;

  private Turn() {}

  /** Exchanges the stations of Ethernet: 6 bytes and 6 bytes. */
  static void stations(MemorySegment frame, long at) {
    long first = frame.get(U64, at);
    long last = Integer.toUnsignedLong(frame.get(U32, at + Long.BYTES));
    frame.set(U64, at, first << 48 | last << STATION_REST | first >>> 48);
    frame.set(U32, at + Long.BYTES, (int) (first >>> STATION_REST));
  }

  /** Both addresses of IPv4, that of the sender in the upper half. */
  static long addresses(MemorySegment frame, long ip) {
    return frame.get(U64, ip + ADDRESSES);
  }

  /** Writes both addresses of IPv4, exchanged. */
  static void addresses(MemorySegment frame, long ip, long addresses) {
    frame.set(U64, ip + ADDRESSES, Long.rotateLeft(addresses, Integer.SIZE));
  }

  /**
   * Exchanges the ports of UDP.
   *
   * @return port of the sender so far
   */
  static int ports(MemorySegment frame, long udp) {
    int ports = frame.get(U32, udp);
    frame.set(U32, udp, Integer.rotateLeft(ports, Short.SIZE));
    return ports >>> Short.SIZE;
  }

  /**
   * The checksum of UDP that covers addresses, protocol and length alone: a sender of this machine
   * leaves the rest to a device.
   *
   * @param addresses as {@link #addresses(MemorySegment, long)}
   * @param datagram bytes with the header of UDP
   */
  static int begun(long addresses, int datagram) {
    long sum =
        (addresses >>> 48)
            + (addresses >>> 32 & 0xFFFF)
            + (addresses >>> 16 & 0xFFFF)
            + (addresses & 0xFFFF)
            + Ipv4.PROTOCOL_UDP
            + datagram;
    int once = (int) ((sum & 0xFFFF) + (sum >>> Short.SIZE));
    return (once & 0xFFFF) + (once >>> Short.SIZE);
  }
}
