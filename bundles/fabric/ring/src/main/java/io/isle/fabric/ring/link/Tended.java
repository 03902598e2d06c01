package io.isle.fabric.ring.link;

/** Work of a node that the agent does between its looks at links. The agent's. */
public interface Tended {
  /**
   * Does what is due; returns soon.
   *
   * @return the time of the next call without a wake-up
   */
  long tend(long nowNs);

  /** A number that changes with the state. */
  long view();
}
