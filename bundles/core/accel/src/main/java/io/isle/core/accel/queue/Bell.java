package io.isle.core.accel.queue;

import io.isle.core.accel.fence.Ringing;
import io.isle.lib.shm.Doorbell;

/** The doorbell of a device's agent; ringing it after its page is gone does nothing. */
public final class Bell implements Ringing {
  private final Doorbell doorbell;
  private volatile boolean closed;

  public Bell(Doorbell doorbell) {
    this.doorbell = doorbell;
  }

  @Override
  public void ring() {
    if (!closed) {
      try {
        doorbell.ring();
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

  public void close() {
    closed = true;
  }
}
