package io.isle.net.ports.udp;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.MemorySegment;

/**
 * The headers of Ethernet, IPv4 and UDP around a datagram that came without them. Both checksums
 * are right. Stations have addresses of Ethernet that are made of those of IPv4: 127.0.0.1 is
 * 02:00:7f:00:00:01.
 */
final class DatagramHeaders {
  /** Bytes of all headers. */
  static final int BYTES = UdpFrame.MIN_BYTES;

  private static final long LOCAL = 0x0200_0000_0000L;

  private DatagramHeaders() {}

  /** The address of Ethernet of a host. */
  static long station(int host) {
    return LOCAL | Integer.toUnsignedLong(host);
  }

  /**
   * Writes the headers in front of a payload.
   *
   * @param payload bytes of the payload, which lies at {@code offset + BYTES}; 0 to 65507
   * @return bytes of the frame
   */
  static int write(
      MemorySegment memory,
      long offset,
      int source,
      int sourcePort,
      int destination,
      int destinationPort,
      int payload) {
    int bytes =
        UdpFrame.write(memory, offset, source, sourcePort, destination, destinationPort, payload);
    Ethernet.addresses(memory, offset, station(destination), station(source));
    long ip = UdpFrame.ip(offset);
    long udp = UdpFrame.udp(memory, offset);
    Udp.checksum(memory, udp, Udp.computed(memory, ip, udp));
    return bytes;
  }
}
