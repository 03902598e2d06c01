package io.isle.fabric.ring.node;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The rights to send and to receive by an endpoint: one thread each at a time. */
final class EndpointSlots {
  private static final long LOOK_NS = 100_000;

  private final AtomicBoolean sender = new AtomicBoolean();
  private final AtomicBoolean receiver = new AtomicBoolean();

  boolean tryEnterSender() {
    return sender.compareAndSet(false, true);
  }

  void leaveSender() {
    sender.setRelease(false);
  }

  boolean tryEnterReceiver() {
    return receiver.compareAndSet(false, true);
  }

  void leaveReceiver() {
    receiver.setRelease(false);
  }

  /** Waits for the right to send until a time; false without it. */
  boolean awaitSender(long deadlineNs) {
    return await(sender, deadlineNs);
  }

  private static boolean await(AtomicBoolean right, long deadlineNs) {
    while (!right.compareAndSet(false, true)) {
      if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NS);
    }
    return true;
  }

  /** Waits until no call runs any more; {@code wake} ends the sleep of calls. */
  void close(Runnable wake) {
    for (AtomicBoolean right : new AtomicBoolean[] {sender, receiver}) {
      while (!right.compareAndSet(false, true)) {
        wake.run();
        LockSupport.parkNanos(LOOK_NS);
      }
    }
  }
}
