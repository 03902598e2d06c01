package io.isle.api.fabric;

import java.util.Optional;

/**
 * A node of a ring, as its own answer to the roll call of a master says. Plain data, immutable.
 *
 * @param node its name
 * @param address address that it listens on; empty if not known
 * @param role its task
 * @param state its state
 * @param range layers of a worker; empty for other roles
 * @param session number of its present life, another one after each restart
 * @param hopNs median round trip to its next node in nanoseconds; 0 if not known
 */
public record RingMember(
    String node,
    String address,
    RingRole role,
    NodeState state,
    Optional<LayerRange> range,
    long session,
    long hopNs) {}
