package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.ScanoutStatus;
import java.util.OptionalInt;

/**
 * Waits for flips and for screens that come and go. Drivers tell neither by themselves, so they are
 * asked: after a flip when the frame begins that the device announced.
 */
final class ScreenAwaiting {
  /** A device that announces no frame, or one that is late, is asked so often. */
  private static final long LONGEST_NS = 20_000_000;

  private static final long SHORTEST_NS = 50_000;
  private static final long HOTPLUG_NS = 50_000_000;

  private final DeviceDisplay display;
  private final int connector;
  private final long timeoutNs;
  private final long begunNs = System.nanoTime();

  /**
   * @param timeoutNs negative to wait without limit
   */
  ScreenAwaiting(DeviceDisplay display, int connector, long timeoutNs) {
    this.display = display;
    this.connector = connector;
    this.timeoutNs = timeoutNs;
  }

  /** See {@link io.isle.api.display.Display#await}. */
  int flip(long point) {
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
      long until = status.nextNs() - MonotonicClock.SYSTEM.nanoTime();
      int code =
          pause(status.nextNs() == 0 ? LONGEST_NS : Math.clamp(until, SHORTEST_NS, LONGEST_NS));
      if (code != 0) {
        return code;
      }
    }
  }

  /** See {@link io.isle.api.display.Display#awaitHotplug}. */
  int hotplug(int seen) {
    while (true) {
      try {
        if (display.status(connector).hotplugs() != seen) {
          return 0;
        }
      } catch (AccelException e) {
        // the next device tells whether a screen came or went meanwhile
        if (e.code() != Errno.EINTR) {
          return -e.code();
        }
      }
      int code = pause(HOTPLUG_NS);
      if (code != 0) {
        return code;
      }
    }
  }

  private int pause(long ns) {
    long left = timeoutNs < 0 ? Long.MAX_VALUE : timeoutNs - (System.nanoTime() - begunNs);
    if (left <= 0) {
      return -Errno.ETIME;
    }
    try {
      display.pause(Math.min(left, ns));
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -Errno.ECANCELED;
    }
  }
}
