package io.isle.core.accel.queue;

import io.isle.core.accel.fence.Ringing;
import io.isle.lib.shm.AgentBells;

/**
 * How threads of the core ring for a device's agent; ringing it after its page is gone does
 * nothing.
 */
public final class Bell implements Ringing {
  private final AgentBells bells;
  private volatile boolean closed;

  public Bell(AgentBells bells) {
    this.bells = bells;
  }

  @Override
  public void ring() {
    if (!closed) {
      try {
        bells.ring();
      } catch (IllegalStateException e) {
        // unmapped between the look and the ring: nobody sleeps on it any more
        closed = true;
      }
    }
  }

  @Override
  public boolean isGone() {
    return closed;
  }

  /** How often it was rung so far. */
  public int rings() {
    return bells.rings();
  }

  public void close() {
    closed = true;
  }
}
