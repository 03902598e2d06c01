package io.isle.fabric.tcp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.Cidr;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.net.PeerRules;
import java.util.Set;

/**
 * The checked settings of a port. Immutable.
 *
 * @param node name of the node
 * @param address where to listen, or where to connect
 * @param rules permitted peers
 * @param plaintext whether peers beyond the loopback interface are permitted
 * @param bufferBytes wanted bytes of each kernel buffer; 0 leaves the size to the kernel
 * @param drains whether bytes of an ended path have a reader; LEAP sends nothing backwards
 */
record TcpSettings(
    String node,
    HostPort address,
    PeerRules rules,
    boolean plaintext,
    int bufferBytes,
    boolean drains) {
  private static final int MOST_BUFFER = 1 << 30;

  static TcpSettings of(PortSpec spec) {
    boolean listens = spec.side() == RingSide.PREV;
    if (spec.bufferBytes() < 0 || spec.bufferBytes() > MOST_BUFFER) {
      throw refused("buffer: " + spec.bufferBytes() + " B is not in 0.." + MOST_BUFFER);
    }
    HostPort address;
    try {
      address = HostPort.parse(spec.address());
    } catch (IllegalArgumentException e) {
      throw refused((listens ? "listen: " : "next: ") + e.getMessage());
    }
    if (!listens && address.port() == 0) {
      throw refused("next: port 0 is no port of a node; ports are 1 to 65535");
    }
    if (!listens && Set.of("0.0.0.0", "::").contains(address.host())) {
      throw refused("next: " + address + " stands for all interfaces, not for a node");
    }
    try {
      PeerRules rules =
          new PeerRules(spec.allow().stream().map(Cidr::parse).toList(), spec.plaintext());
      return new TcpSettings(
          spec.node(),
          address,
          rules,
          spec.plaintext(),
          spec.bufferBytes(),
          listens || spec.dialect() == Dialect.ISLE);
    } catch (IllegalArgumentException e) {
      throw refused("allow: " + e.getMessage());
    }
  }

  private static RingException refused(String message) {
    return new RingException(Errno.EINVAL, message);
  }
}
