package io.isle.fabric.ring.link;

import io.isle.api.fabric.PortSpec;
import java.util.List;

/**
 * The settings of a link. Immutable.
 *
 * @param transport name of the transport
 * @param port settings of the port
 * @param addresses as set, for the status
 * @param spinNs nanoseconds before a waiting thread sleeps
 * @param frameNs nanoseconds after which an incomplete frame of datagrams is lost
 * @param reassemblyBytes most bytes of incomplete frames
 */
public record LinkSpec(
    String transport,
    PortSpec port,
    List<String> addresses,
    long spinNs,
    long frameNs,
    long reassemblyBytes) {
  public LinkSpec {
    addresses = List.copyOf(addresses);
  }
}
