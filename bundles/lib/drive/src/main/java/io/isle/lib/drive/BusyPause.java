package io.isle.lib.drive;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A resize occupies the endpoint for moments, and data calls are refused meanwhile. Used by one
 * thread.
 */
final class BusyPause {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(6);

  private long sinceNs;
  private boolean busy;

  /**
   * Waits a little.
   *
   * @return false if the endpoint is busy for longer than a resize takes
   */
  boolean pause() {
    long now = System.nanoTime();
    if (!busy) {
      busy = true;
      sinceNs = now;
    }
    LockSupport.parkNanos(PAUSE_NS);
    return now - sinceNs < MOST_NS;
  }

  /** A call was not refused. */
  void over() {
    busy = false;
  }
}
