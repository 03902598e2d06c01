package io.isle.core.accel;

import io.isle.api.base.Errno;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for points: a short spin, then a place among the timeline's waiters, parked until the point
 * has ended. Allocates nothing but the place of a seventeenth thread and further ones.
 */
final class Awaiting {
  private static final int SPINS = 512;
  private static final int YIELD_MASK = 15;

  private Awaiting() {}

  /** See {@link io.isle.api.accel.Context#await}. */
  static int await(ContextSeat seat, long point, long timeoutNs) {
    int status = seat.status(point);
    // virtual threads that yield can keep others from running; they park soon instead
    int yieldMask = Thread.currentThread().isVirtual() ? Integer.MAX_VALUE : YIELD_MASK;
    for (int i = 0; i < SPINS && status == -Errno.EINPROGRESS && timeoutNs != 0; i++) {
      if ((i & yieldMask) == yieldMask) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
      status = seat.status(point);
    }
    if (status != -Errno.EINPROGRESS) {
      return status;
    }
    return timeoutNs == 0 ? -Errno.ETIME : sleep(seat, point, timeoutNs);
  }

  private static int sleep(ContextSeat seat, long point, long timeoutNs) {
    Waiters waiters = seat.queue().waiters;
    long started = System.nanoTime();
    Waiters.Place place = waiters.enter(point);
    try {
      while (true) {
        int status = seat.status(point);
        if (status != -Errno.EINPROGRESS) {
          return status;
        }
        if (Thread.currentThread().isInterrupted()) {
          return -Errno.ECANCELED;
        }
        if (timeoutNs < 0) {
          LockSupport.park(waiters);
        } else {
          long left = timeoutNs - (System.nanoTime() - started);
          if (left <= 0) {
            return -Errno.ETIME;
          }
          LockSupport.parkNanos(waiters, left);
        }
      }
    } finally {
      waiters.leave(place);
    }
  }
}
