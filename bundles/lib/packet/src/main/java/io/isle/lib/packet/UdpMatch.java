package io.isle.lib.packet;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.OptionalInt;

/**
 * Frames that the program of a net takes from the kernel: IPv4 with UDP to one of some ports;
 * packets in GRE stay there. Immutable. Allocates nothing after construction.
 */
public final class UdpMatch {
  private final int[] ports;
  private final boolean anyAddress;
  private final int address;

  /**
   * @param ports destination ports
   * @param address destination, first number highest; empty for any
   */
  public UdpMatch(Collection<Integer> ports, OptionalInt address) {
    this.ports = ports.stream().mapToInt(Integer::intValue).toArray();
    this.anyAddress = address.isEmpty();
    this.address = address.orElse(0);
  }

  /**
   * Whether a frame goes to the tile.
   *
   * @param length bytes of the frame, of any number
   */
  public boolean takes(MemorySegment memory, long offset, int length) {
    long ip = offset + Ethernet.HEADER_BYTES;
    if (length < Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES
        || Ethernet.type(memory, offset) != Ethernet.TYPE_IPV4
        || Ipv4.headerBytes(memory, ip) < Ipv4.MIN_HEADER_BYTES
        || Ipv4.protocol(memory, ip) != Ipv4.PROTOCOL_UDP) {
      return false;
    }
    int udp = Ethernet.HEADER_BYTES + Ipv4.headerBytes(memory, ip);
    return length >= udp + Udp.HEADER_BYTES
        && (anyAddress || address == Ipv4.destination(memory, ip))
        && has(Udp.destinationPort(memory, offset + udp));
  }

  private boolean has(int port) {
    for (int one : ports) {
      if (one == port) {
        return true;
      }
    }
    return false;
  }
}
