package io.isle.fabric.ring.health;

/** Receives news of nodes for people. Called on the thread of the rings. */
@FunctionalInterface
public interface FailureSink {
  /**
   * A node of the ring has failed, fails for another cause, or is here again.
   *
   * @param ring name of the ring
   * @param teller name of the node that tells
   */
  void changed(String ring, String teller, FailureChange change);
}
