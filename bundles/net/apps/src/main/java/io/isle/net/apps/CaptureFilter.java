package io.isle.net.apps;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.tile.TapMark;
import java.lang.foreign.MemorySegment;

/**
 * Frames that a capture keeps.
 *
 * @param port UDP port of sender or receiver; 0 for any
 * @param host address of sender or receiver; 0 for any
 * @param dropped whether only dropped frames are kept
 */
record CaptureFilter(int port, int host, boolean dropped) {
  boolean keeps(MemorySegment memory, long offset, int length, long mark) {
    if (dropped && !TapMark.isDropped(mark)) {
      return false;
    }
    return port == 0 && host == 0 || isOfFlow(memory, offset, length);
  }

  private boolean isOfFlow(MemorySegment memory, long offset, int length) {
    long ip = offset + Ethernet.HEADER_BYTES;
    int room = length - Ethernet.HEADER_BYTES;
    if (room < Ipv4.MIN_HEADER_BYTES
        || Ethernet.type(memory, offset) != Ethernet.TYPE_IPV4
        || Ipv4.version(memory, ip) != 4) {
      return false;
    }
    return (host == 0 || Ipv4.source(memory, ip) == host || Ipv4.destination(memory, ip) == host)
        && (port == 0 || isOfPort(memory, ip, room));
  }

  /** A later fragment has no ports. */
  private boolean isOfPort(MemorySegment memory, long ip, int room) {
    int header = Ipv4.headerBytes(memory, ip);
    if (header < Ipv4.MIN_HEADER_BYTES
        || room < header + Udp.HEADER_BYTES
        || Ipv4.protocol(memory, ip) != Ipv4.PROTOCOL_UDP
        || Ipv4.isFragment(memory, ip)) {
      return false;
    }
    long udp = ip + header;
    return Udp.sourcePort(memory, udp) == port || Udp.destinationPort(memory, udp) == port;
  }
}
