package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;

/**
 * A frame of Ethernet, IPv4 and UDP. {@link #check} takes any bytes; the other methods take frames
 * that {@link #check} has passed. Pure functions, safe for any thread. Allocates nothing.
 */
public final class UdpFrame {
  /** Bytes of the smallest frame: all headers, without options and payload. */
  public static final int MIN_BYTES =
      Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES;

  private UdpFrame() {}

  /**
   * Classifies a received frame. Of several reasons the first counts, in this order: the length of
   * the frame, type and version, the length of the header of IPv4, the protocol, fragments, the
   * length of the datagram, the source, the checksum. A fragment comes before the length, because
   * the first fragment of a datagram always ends before its datagram.
   *
   * <p>The end of a frame is that of its bytes: the total length of IPv4 is not looked at, nor is
   * its checksum.
   *
   * @param length of the frame in bytes, 0 or more, all of them in {@code memory}
   * @param checksums whether wrong checksums of UDP are a reason
   */
  public static Drop check(MemorySegment memory, long offset, int length, boolean checksums) {
    if (length < MIN_BYTES) {
      return Drop.UNDERSIZE;
    }
    long ip = offset + Ethernet.HEADER_BYTES;
    if (Ethernet.type(memory, offset) != Ethernet.TYPE_IPV4 || Ipv4.version(memory, ip) != 4) {
      return Drop.NOT_IPV4;
    }
    int header = Ipv4.headerBytes(memory, ip);
    if (header < Ipv4.MIN_HEADER_BYTES) {
      return Drop.BAD_IHL;
    }
    if (Ipv4.protocol(memory, ip) != Ipv4.PROTOCOL_UDP) {
      return Drop.NOT_UDP;
    }
    if (Ipv4.isFragment(memory, ip)) {
      return Drop.FRAGMENT;
    }
    int room = length - Ethernet.HEADER_BYTES - header;
    if (room < Udp.HEADER_BYTES) {
      return Drop.BAD_UDP_LENGTH;
    }
    int datagram = Udp.length(memory, ip + header);
    if (datagram < Udp.HEADER_BYTES || datagram > room) {
      return Drop.BAD_UDP_LENGTH;
    }
    if (Ipv4.isMulticast(Ipv4.source(memory, ip))) {
      return Drop.MULTICAST_SOURCE;
    }
    return checksums && !Udp.isIntact(memory, ip, ip + header) ? Drop.CHECKSUM : Drop.NONE;
  }

  /** Offset of the header of IPv4. */
  public static long ip(long offset) {
    return offset + Ethernet.HEADER_BYTES;
  }

  /** Offset of the header of UDP. */
  public static long udp(MemorySegment memory, long offset) {
    long ip = ip(offset);
    return ip + Ipv4.headerBytes(memory, ip);
  }

  /** Bytes before the payload, 42 to 82. */
  public static int headerBytes(MemorySegment memory, long offset) {
    return (int) (udp(memory, offset) - offset) + Udp.HEADER_BYTES;
  }

  /** Bytes of the payload by the length of UDP; bytes of the frame behind them are padding. */
  public static int payloadBytes(MemorySegment memory, long offset) {
    return Udp.length(memory, udp(memory, offset)) - Udp.HEADER_BYTES;
  }

  /**
   * Signature of a received frame: source and port of the sender.
   *
   * @param protocol id of the app's protocol, 0 to 255
   */
  public static long received(MemorySegment memory, long offset, int protocol) {
    long udp = udp(memory, offset);
    int source = Ipv4.source(memory, ip(offset));
    int headers = (int) (udp - offset) + Udp.HEADER_BYTES;
    return NetSig.of(source, source, Udp.sourcePort(memory, udp), protocol, headers);
  }

  /**
   * Writes the headers of a datagram, 42 bytes, around a payload that is written or will be. The
   * header of IPv4 has its checksum, that of UDP none.
   *
   * @param payload bytes, 0 to 65507
   * @return bytes of the frame
   */
  public static int write(
      MemorySegment memory,
      long offset,
      int source,
      int sourcePort,
      int destination,
      int destinationPort,
      int payload) {
    long ip = ip(offset);
    int datagram = payload + Udp.HEADER_BYTES;
    int packet = datagram + Ipv4.MIN_HEADER_BYTES;
    Ethernet.write(memory, offset, 0, 0, Ethernet.TYPE_IPV4);
    Ipv4.write(memory, ip, packet, 0, Ipv4.PROTOCOL_UDP, source, destination);
    Udp.write(memory, ip + Ipv4.MIN_HEADER_BYTES, sourcePort, destinationPort, datagram);
    return packet + Ethernet.HEADER_BYTES;
  }
}
