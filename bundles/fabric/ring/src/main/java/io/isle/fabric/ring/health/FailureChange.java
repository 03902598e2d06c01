package io.isle.fabric.ring.health;

import io.isle.api.fabric.NodeFailure;

/**
 * News of a node for people: the begin of a failure, another cause, or its end. Immutable.
 *
 * @param failure as it is now; it has ended if the node is here again
 * @param own whether this node is one of the reporters
 */
public record FailureChange(NodeFailure failure, boolean own) {}
