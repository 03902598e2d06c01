package io.isle.benchmarks.share;

import java.util.concurrent.locks.LockSupport;

/** Waiting for a time, not for an event: what is measured goes on meanwhile. */
public final class Pause {
  private Pause() {}

  /** Until {@link System#nanoTime} is that. */
  public static void until(long atNs) throws InterruptedException {
    for (long left = atNs - System.nanoTime(); left > 0; left = atNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** From now on. */
  public static void of(long ns) throws InterruptedException {
    until(System.nanoTime() + ns);
  }
}
