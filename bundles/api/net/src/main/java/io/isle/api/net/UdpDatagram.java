package io.isle.api.net;

import java.lang.foreign.MemorySegment;

/**
 * A received datagram, valid during the call that passes it on. One object serves all datagrams of
 * a port. Addresses have their first number highest.
 */
public final class UdpDatagram {
  private MemorySegment memory;
  private long offset;
  private int length;
  private int source;
  private int sourcePort;
  private int destination;
  private int destinationPort;

  UdpDatagram() {}

  /**
   * Reads the headers of a frame.
   *
   * @return false for bytes that are no whole datagram of UDP over IPv4
   */
  boolean read(MemorySegment frame, long at, int bytes) {
    long ip = at + UdpHeaders.ETHERNET_BYTES;
    if (bytes < UdpHeaders.BYTES
        || UdpHeaders.u16(frame, ip - 2) != UdpHeaders.TYPE_IPV4
        || UdpHeaders.u8(frame, ip) >>> 4 != 4) {
      return false;
    }
    int header = (UdpHeaders.u8(frame, ip) & 0xF) * 4;
    int room = bytes - UdpHeaders.ETHERNET_BYTES - header;
    if (header < UdpHeaders.IPV4_BYTES
        || room < UdpHeaders.UDP_BYTES
        || UdpHeaders.u8(frame, ip + UdpHeaders.PROTOCOL) != UdpHeaders.PROTOCOL_UDP
        || (UdpHeaders.u16(frame, ip + UdpHeaders.FRAGMENT) & UdpHeaders.MORE_OR_OFFSET) != 0) {
      return false;
    }
    long udp = ip + header;
    int datagram = UdpHeaders.u16(frame, udp + UdpHeaders.LENGTH);
    if (datagram < UdpHeaders.UDP_BYTES || datagram > room) {
      return false;
    }
    memory = frame;
    offset = udp + UdpHeaders.UDP_BYTES;
    length = datagram - UdpHeaders.UDP_BYTES;
    source = UdpHeaders.u32(frame, ip + UdpHeaders.SOURCE);
    destination = UdpHeaders.u32(frame, ip + UdpHeaders.DESTINATION);
    sourcePort = UdpHeaders.u16(frame, udp);
    destinationPort = UdpHeaders.u16(frame, udp + 2);
    return true;
  }

  /** Memory of the payload. */
  public MemorySegment memory() {
    return memory;
  }

  /** Offset of the payload in {@link #memory}. */
  public long offset() {
    return offset;
  }

  /** Bytes of the payload, 0 to 65507. */
  public int length() {
    return length;
  }

  /** Address of the sender. */
  public int source() {
    return source;
  }

  /** Port of the sender. */
  public int sourcePort() {
    return sourcePort;
  }

  /** Address that the datagram was sent to. */
  public int destination() {
    return destination;
  }

  /** Port that the datagram was sent to. */
  public int destinationPort() {
    return destinationPort;
  }
}
