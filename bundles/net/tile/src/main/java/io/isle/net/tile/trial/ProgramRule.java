package io.isle.net.tile.trial;

import io.isle.api.net.FrameMatch;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import java.lang.foreign.MemorySegment;

/** Which frames the program of a net takes from the kernel; packets in GRE stay there. */
final class ProgramRule {
  private final FrameMatch match;

  ProgramRule(FrameMatch match) {
    this.match = match;
  }

  /** Whether the frame at the begin of some memory goes to the tile. */
  boolean takes(MemorySegment frame, int length) {
    int ip = Ethernet.HEADER_BYTES;
    if (length < ip + Ipv4.MIN_HEADER_BYTES
        || Ethernet.type(frame, 0) != Ethernet.TYPE_IPV4
        || Ipv4.headerBytes(frame, ip) < Ipv4.MIN_HEADER_BYTES
        || Ipv4.protocol(frame, ip) != Ipv4.PROTOCOL_UDP) {
      return false;
    }
    int udp = ip + Ipv4.headerBytes(frame, ip);
    return length >= udp + Udp.HEADER_BYTES
        && (match.address().isEmpty() || match.address().getAsInt() == Ipv4.destination(frame, ip))
        && match.ports().contains(Udp.destinationPort(frame, udp));
  }
}
