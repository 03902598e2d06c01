package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The port of a link, and the right to drive it: one thread at a time, for a short time, without a
 * wait. Ports come and go with their transports; without a port the link has no neighbour.
 */
final class PortHolder {
  private static final VarHandle DRIVEN;
  private static final int SPINS = 100;

  static {
    try {
      DRIVEN = MethodHandles.lookup().findVarHandle(PortHolder.class, "driven", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by DRIVEN
  private volatile int driven;

  /** Written by the driving thread; for reading its state, any thread. */
  private volatile RingPort port;

  /** Of the kind of the port, or of the last one; the driving thread's. */
  private Framing framing;

  /** Time of the next call of {@link RingPort#poll}; the driving thread's. */
  private long pollNs;

  /** Begins to drive. */
  void enter() {
    int spins = 0;
    while (!tryEnter()) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  boolean tryEnter() {
    return DRIVEN.compareAndSet(this, 0, 1);
  }

  void leave() {
    DRIVEN.setRelease(this, 0);
  }

  /** The port; null without one. */
  RingPort port() {
    return port;
  }

  Framing framing() {
    return framing;
  }

  void framing(Framing next) {
    framing = next;
  }

  /** The driving thread exchanges the port; returns the port of before, or null. */
  RingPort exchange(RingPort next) {
    RingPort before = port;
    port = next;
    pollNs = Long.MIN_VALUE;
    return before;
  }

  /** The driving thread calls {@link RingPort#poll} if its time has come. */
  void pollIfDue(long nowNs) {
    if (nowNs >= pollNs && port != null) {
      pollNs = port.poll(nowNs);
    }
  }

  /** As {@link #pollIfDue}, in any case, because a descriptor has an event. */
  long poll(long nowNs) {
    pollNs = port == null ? Long.MAX_VALUE : port.poll(nowNs);
    return pollNs;
  }

  long pollNs() {
    return pollNs;
  }
}
