package io.isle.api.fabric;

import org.osgi.annotation.versioning.ConsumerType;

/** Receives changes of a node. Called on a thread of the platform; returns soon. */
@ConsumerType
@FunctionalInterface
public interface RingListener {
  /**
   * The node or one of its links has changed its state, or another node of the ring has failed,
   * come back or joined.
   *
   * @param node the node after the change
   */
  void changed(RingNodeInfo node);
}
