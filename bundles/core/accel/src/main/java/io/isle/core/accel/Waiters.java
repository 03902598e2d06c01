package io.isle.core.accel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for points of one timeline. Sixteen have a place and are woken when their point
 * has ended; further ones look again every millisecond. Allocates nothing.
 */
final class Waiters {
  private static final VarHandle THREADS = MethodHandles.arrayElementVarHandle(Thread[].class);
  private static final VarHandle POINTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PLACES = 16;
  private static final long WITHOUT_PLACE_NS = 1_000_000;

  private final Thread[] threads = new Thread[PLACES];
  private final long[] points = new long[PLACES];
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Takes a place; the caller then checks once more before it parks.
   *
   * @return the place for {@link #park} and {@link #leave}, -1 if all are taken
   */
  int enter(long point) {
    Thread self = Thread.currentThread();
    for (int i = 0; i < PLACES; i++) {
      if (THREADS.compareAndSet(threads, i, (Thread) null, self)) {
        POINTS.setVolatile(points, i, point);
        count.getAndIncrement();
        return i;
      }
    }
    return -1;
  }

  void park(int place, long timeoutNs) {
    LockSupport.parkNanos(this, place < 0 ? Math.min(timeoutNs, WITHOUT_PLACE_NS) : timeoutNs);
  }

  void leave(int place) {
    if (place >= 0) {
      count.getAndDecrement();
      THREADS.setVolatile(threads, place, (Thread) null);
    }
  }

  /** Agent, after a full fence: wakes those whose point is {@code ended} or earlier. */
  void wake(long ended) {
    if (count.getPlain() == 0) {
      return;
    }
    for (int i = 0; i < PLACES; i++) {
      Thread thread = (Thread) THREADS.getVolatile(threads, i);
      if (thread != null && (long) POINTS.getVolatile(points, i) <= ended) {
        LockSupport.unpark(thread);
      }
    }
  }
}
