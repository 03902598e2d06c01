package io.isle.api.fabric;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of paths between nodes, as a service with the property {@link #NAME_PROPERTY}. A transport
 * owns sockets or segments; links, their protocols and their state belong to the ring. When the
 * service is unregistered, the ring parks or closes each port of the transport before the
 * unregistration ends.
 */
@ConsumerType
public interface RingTransport {
  /** Property with the scheme of the addresses, such as {@code tcp}. */
  String NAME_PROPERTY = "isle.transport";

  /**
   * Makes a port. Returns at once: {@link RingPort#poll} binds, connects and accepts.
   *
   * @throws RingException EINVAL with the setting and its limit; EMSGSIZE for packets that are too
   *     large for the transport; ENOTSUP for the dialect
   */
  RingPort open(PortSpec spec);

  /**
   * Makes a port of what an earlier version of the transport has parked. Takes over all descriptors
   * of {@code parked} on success.
   *
   * @return empty if the format is unknown; the caller closes {@code parked}
   */
  Optional<RingPort> adopt(PortSpec spec, ParkedPort parked);
}
