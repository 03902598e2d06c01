package io.isle.fabric.ring.node;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The rights to send and to receive by an endpoint: one thread each at a time. */
final class EndpointSlots {
  private static final long LOOK_NS = 100_000;
  private static final int FREE = 0;
  private static final int BUSY = 1;

  /** Of the sender: between a claim and its end. */
  private static final int CLAIMED = 2;

  private final AtomicInteger sender = new AtomicInteger(FREE);
  private final AtomicInteger receiver = new AtomicInteger(FREE);

  boolean tryEnterSender() {
    return sender.compareAndSet(FREE, BUSY);
  }

  void leaveSender() {
    sender.setRelease(FREE);
  }

  /** Ends a call of the sender and keeps others out until {@link #tryResume}. */
  void claim() {
    sender.setRelease(CLAIMED);
  }

  /** Begins a call of the sender after {@link #claim}; false without a claim. */
  boolean tryResume() {
    return sender.compareAndSet(CLAIMED, BUSY);
  }

  boolean tryEnterReceiver() {
    return receiver.compareAndSet(FREE, BUSY);
  }

  void leaveReceiver() {
    receiver.setRelease(FREE);
  }

  /** Waits for the right to send until a time; false without it. */
  boolean awaitSender(long deadlineNs) {
    while (!tryEnterSender()) {
      if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NS);
    }
    return true;
  }

  /** Waits until no call runs, and lets none begin; {@code wake} ends the sleep of calls. */
  void close(Runnable wake) {
    while (!tryEnterSender() && !tryResume()) {
      pause(wake);
    }
    while (!tryEnterReceiver()) {
      pause(wake);
    }
  }

  private static void pause(Runnable wake) {
    wake.run();
    LockSupport.parkNanos(LOOK_NS);
  }
}
