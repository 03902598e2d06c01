package io.isle.lib.agent;

import java.util.concurrent.Semaphore;

/**
 * Permits for threads that occupy a processor without work. After a reduction, more permits may be
 * in use than exist. Thread-safe.
 */
final class SpinPermits {
  private final Reducible permits = new Reducible();
  private int most;

  SpinPermits(int most) {
    change(most);
  }

  /**
   * From now on; those beyond it that are in use are until they are given back.
   *
   * @param now 0 or more
   */
  synchronized void change(int now) {
    if (now < 0) {
      throw new IllegalArgumentException("spinners " + now + " is negative");
    }
    permits.change(now - most);
    most = now;
  }

  boolean take() {
    return permits.tryAcquire();
  }

  void giveBack() {
    permits.release();
  }

  /** How many are left; negative while more are in use than there are. */
  int spare() {
    return permits.availablePermits();
  }

  private static final class Reducible extends Semaphore {
    private static final long serialVersionUID = 1;

    Reducible() {
      super(0);
    }

    void change(int by) {
      if (by < 0) {
        reducePermits(-by);
      } else {
        release(by);
      }
    }
  }
}
