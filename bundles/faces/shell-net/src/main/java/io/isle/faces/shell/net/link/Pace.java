package io.isle.faces.shell.net.link;

import java.util.concurrent.locks.LockSupport;

/** Time and waits of a loop. */
interface Pace {
  /** The clock of the machine. */
  Pace REAL = new RealPace();

  /** Nanoseconds. */
  long nanoTime();

  /**
   * Waits a little.
   *
   * @param round how often in a row, from 0: the longer nothing happens, the longer a wait
   */
  void idle(int round);

  /** Waits for a time of {@link #nanoTime}, or until the thread is interrupted. */
  void until(long ns);

  /** Whether the thread was interrupted. */
  boolean interrupted();

  /** Spins at first, then yields, then sleeps. */
  final class RealPace implements Pace {
    private static final int SPINS = 1000;
    private static final int YIELDS = 100;
    private static final long SLEEP_NS = 50_000;

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void idle(int round) {
      if (round < SPINS) {
        Thread.onSpinWait();
      } else if (round < SPINS + YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(SLEEP_NS);
      }
    }

    @Override
    public void until(long ns) {
      for (long left = ns - System.nanoTime();
          left > 0 && !interrupted();
          left = ns - System.nanoTime()) {
        if (left > 2 * SLEEP_NS) {
          LockSupport.parkNanos(left - SLEEP_NS);
        } else {
          Thread.onSpinWait();
        }
      }
    }

    @Override
    public boolean interrupted() {
      return Thread.currentThread().isInterrupted();
    }
  }
}
