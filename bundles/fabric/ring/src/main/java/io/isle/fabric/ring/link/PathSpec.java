package io.isle.fabric.ring.link;

import io.isle.api.fabric.PortSpec;

/**
 * The settings of a path of a link. Immutable.
 *
 * @param address as set, for the status
 * @param transport name of the transport
 * @param port settings of the port
 */
public record PathSpec(String address, String transport, PortSpec port) {}
