package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.ScanoutStatus;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/** Waits for flips: sleeps until the frame that the device announced, then asks it again. */
final class ScreenAwaiting {
  /** A device that announces no frame, or one that is late, is asked so often. */
  private static final long LONGEST_NS = 20_000_000;

  private static final long SHORTEST_NS = 50_000;

  private ScreenAwaiting() {}

  /** See {@link io.isle.api.accel.Display#await}. */
  static int await(PlaceDisplay display, int connector, long point, long timeoutNs) {
    long begun = System.nanoTime();
    while (true) {
      OptionalInt outcome = display.outcome(connector, point);
      if (outcome.isPresent()) {
        return outcome.getAsInt();
      }
      ScanoutStatus status;
      try {
        status = display.status(connector);
      } catch (AccelException e) {
        return -e.code();
      }
      outcome = display.outcome(connector, point);
      if (outcome.isPresent()) {
        return outcome.getAsInt();
      }
      long left = timeoutNs < 0 ? Long.MAX_VALUE : timeoutNs - (System.nanoTime() - begun);
      if (left <= 0) {
        return -Errno.ETIME;
      }
      long until = status.nextNs() - MonotonicClock.SYSTEM.nanoTime();
      LockSupport.parkNanos(
          Math.min(
              left,
              status.nextNs() == 0 ? LONGEST_NS : Math.clamp(until, SHORTEST_NS, LONGEST_NS)));
      if (Thread.currentThread().isInterrupted()) {
        return -Errno.ECANCELED;
      }
    }
  }
}
