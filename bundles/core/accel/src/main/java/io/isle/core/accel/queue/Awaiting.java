package io.isle.core.accel.queue;

import io.isle.api.base.Errno;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for points: a short spin, then a place among the timeline's waiters, parked until the point
 * has ended. Allocates nothing but the place of a seventeenth thread and further ones.
 */
public final class Awaiting {
  private Awaiting() {}

  /** See {@link io.isle.api.accel.Context#await}. */
  public static int await(QueueRecord record, long point, long timeoutNs) {
    int status = record.status(point);
    int yieldMask = SpinWait.yieldMask();
    for (int i = 0; i < SpinWait.TURNS && status == -Errno.EINPROGRESS && timeoutNs != 0; i++) {
      SpinWait.turn(i, yieldMask);
      status = record.status(point);
    }
    if (status != -Errno.EINPROGRESS) {
      return status;
    }
    return timeoutNs == 0 ? -Errno.ETIME : sleep(record, point, timeoutNs);
  }

  private static int sleep(QueueRecord record, long point, long timeoutNs) {
    Waiters waiters = record.queue().waiters;
    long started = System.nanoTime();
    Waiters.Place place = waiters.enter(point);
    try {
      while (true) {
        int status = record.status(point);
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
