package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.Cidr;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.net.PeerRules;
import java.util.Optional;
import java.util.Set;

/**
 * The checked settings of a port. Immutable.
 *
 * @param node name of the node
 * @param address where to listen, or where to send
 * @param local address of this node on the side of the next node, if the node listens by UDP
 * @param source only source of datagrams; empty for the first valid one
 * @param dialect protocol of the link
 * @param rules permitted peers
 * @param plaintext whether peers beyond the loopback interface are permitted
 * @param single whether each frame is one datagram
 * @param bufferBytes wanted bytes of each kernel buffer; 0 leaves the size to the kernel
 */
record UdpSettings(
    String node,
    HostPort address,
    Optional<HostPort> local,
    Optional<HostPort> source,
    Dialect dialect,
    PeerRules rules,
    boolean plaintext,
    boolean single,
    int bufferBytes) {
  /** Bytes of the largest datagram: a header of 12 bytes and a chunk of 1400 (LEAP). */
  static final int DATAGRAM = 1412;

  /** Bytes of a frame in each datagram. */
  private static final int CHUNK = 1400;

  /** Chunks of a frame have numbers of 16 bits. */
  static final int MOST_PACKET = 65_535 * CHUNK;

  private static final int MOST_BUFFER = 1 << 30;

  static UdpSettings of(PortSpec spec) {
    boolean listens = spec.side() == RingSide.PREV;
    if (spec.bufferBytes() < 0 || spec.bufferBytes() > MOST_BUFFER) {
      throw refused("buffer: " + spec.bufferBytes() + " B is not in 0.." + MOST_BUFFER);
    }
    if (spec.packetBytes() > MOST_PACKET) {
      throw new RingException(
          Errno.EMSGSIZE,
          "packets of %d B do not fit into 65535 datagrams; at most %d B are possible by udp"
              .formatted(spec.packetBytes(), MOST_PACKET));
    }
    HostPort address = address(listens ? "listen: " : "next: ", spec.address());
    if (!listens) {
      requireNode("next: ", address);
    }
    Optional<HostPort> source =
        spec.source().isEmpty()
            ? Optional.empty()
            : Optional.of(address("prev.address: ", spec.source()));
    source.ifPresent(peer -> requireNode("prev.address: ", peer));
    return new UdpSettings(
        spec.node(),
        address,
        spec.local().isEmpty() ? Optional.empty() : Optional.of(address("listen: ", spec.local())),
        source,
        spec.dialect(),
        rules(spec),
        spec.plaintext(),
        spec.packetBytes() <= CHUNK,
        spec.bufferBytes());
  }

  private static HostPort address(String setting, String text) {
    try {
      return HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused(setting + e.getMessage());
    }
  }

  private static void requireNode(String setting, HostPort address) {
    if (address.port() == 0) {
      throw refused(setting + "port 0 is no port of a node; ports are 1 to 65535");
    }
    if (Set.of("0.0.0.0", "::").contains(address.host())) {
      throw refused(setting + address + " stands for all interfaces, not for a node");
    }
  }

  private static PeerRules rules(PortSpec spec) {
    try {
      return new PeerRules(spec.allow().stream().map(Cidr::parse).toList(), spec.plaintext());
    } catch (IllegalArgumentException e) {
      throw refused("allow: " + e.getMessage());
    }
  }

  private static RingException refused(String message) {
    return new RingException(Errno.EINVAL, message);
  }
}
