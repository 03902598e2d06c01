package io.isle.core.accel;

import io.isle.lib.shm.Doorbell;

/** The doorbell of a device's agent; ringing it after its page is gone does nothing. */
final class Bell {
  private final Doorbell doorbell;
  private volatile boolean closed;

  Bell(Doorbell doorbell) {
    this.doorbell = doorbell;
  }

  void ring() {
    if (!closed) {
      try {
        doorbell.ring();
      } catch (IllegalStateException e) {
        // The page was unmapped between the look and the ring: nobody sleeps on it any more.
        closed = true;
      }
    }
  }

  void close() {
    closed = true;
  }
}
