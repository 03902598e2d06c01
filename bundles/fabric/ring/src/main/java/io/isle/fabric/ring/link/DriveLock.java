package io.isle.fabric.ring.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The right to drive a link: one thread at a time, for a short time, without a wait. */
public final class DriveLock {
  private static final VarHandle DRIVEN;
  private static final int SPINS = 100;

  static {
    try {
      DRIVEN = MethodHandles.lookup().findVarHandle(DriveLock.class, "driven", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by DRIVEN
  private volatile int driven;

  /** Begins to drive. */
  public void enter() {
    int spins = 0;
    while (!tryEnter()) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** Begins to drive, unless another thread drives. */
  public boolean tryEnter() {
    return DRIVEN.compareAndSet(this, 0, 1);
  }

  /** Ends. */
  public void leave() {
    DRIVEN.setRelease(this, 0);
  }
}
