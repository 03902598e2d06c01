package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;

/**
 * What the driving thread of a link calls: a waiting data call, or the agent. All methods but
 * {@link #lock} and {@link #view} belong to the thread that holds the lock.
 */
public interface Drive {
  /** The right to call. */
  DriveLock lock();

  /** Does what is due by time. */
  void pollIfDue(long nowNs);

  /**
   * Does all that time and descriptors require.
   *
   * @return time of the next call without an event
   */
  long poll(long nowNs);

  /** Time of the next call without an event. */
  long pollNs();

  /**
   * Whether the agent drives the link until its next use, and wakes the waiting thread for a packet
   * or for room: one thread wakes for signs of life, not two.
   */
  default boolean isLeftToAgent(long nowNs) {
    return false;
  }

  /**
   * Descriptors to wait for.
   *
   * @param wanted as {@link RingPort#interests}
   */
  void interests(RingPort.Interests interests, int wanted);

  /**
   * The work of the agent, which drives while no data call waits.
   *
   * @param interests receives the descriptors that the agent waits for
   * @return time of the next call without an event
   */
  long tend(long nowNs, RingPort.Interests interests);

  /**
   * A number that stays as long as each descriptor of {@link #tend} belongs to the same file; 0
   * while that is not sure.
   */
  default long settled() {
    return 0;
  }

  /** A number that changes with the state of the link. Any thread. */
  long view();
}
