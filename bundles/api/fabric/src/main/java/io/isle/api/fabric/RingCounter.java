package io.isle.api.fabric;

import java.util.Optional;

/**
 * A counter of a node since the first start of the platform on its data. Neither the restart of a
 * bundle nor another version of the node's settings begins a counter again. Immutable.
 *
 * @param name such as {@code isle_ring_frames_sent_total}
 * @param ring name of the ring
 * @param node name of the node
 * @param side the link; empty for a counter of the node
 * @param value 0 or more
 */
public record RingCounter(
    String name, String ring, String node, Optional<RingSide> side, long value) {}
