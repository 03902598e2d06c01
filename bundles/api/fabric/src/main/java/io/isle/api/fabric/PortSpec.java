package io.isle.api.fabric;

import java.util.List;
import java.util.Map;

/**
 * The settings of a port. Immutable.
 *
 * @param node name of the node, for messages
 * @param side {@link RingSide#PREV} listens, {@link RingSide#NEXT} connects
 * @param address the part of the address behind {@code SCHEME://}: host and port, or a name
 * @param local for {@link RingSide#NEXT}: the address by the same transport that the node listens
 *     on; empty for none. Datagrams of dialect leap are sent from this address
 * @param dialect protocol of the link
 * @param packetBytes bytes of the largest frame on the path
 * @param source only source of datagrams, as host and port; empty for the first valid one
 * @param allow networks of accepted peers, as {@code ADDRESS/BITS}; empty for all
 * @param plaintext whether peers beyond the loopback interface are permitted
 * @param bufferBytes wanted bytes of each kernel buffer
 * @param options further settings of the transport
 */
public record PortSpec(
    String node,
    RingSide side,
    String address,
    String local,
    Dialect dialect,
    int packetBytes,
    String source,
    List<String> allow,
    boolean plaintext,
    int bufferBytes,
    Map<String, String> options) {
  public PortSpec {
    allow = List.copyOf(allow);
    options = Map.copyOf(options);
  }
}
