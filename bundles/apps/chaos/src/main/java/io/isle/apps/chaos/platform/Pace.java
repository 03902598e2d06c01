package io.isle.apps.chaos.platform;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Time as it passes for a run; that of tests is simulated. Thread-safe. */
public interface Pace {
  /** Between two looks. */
  long LOOK_MS = 5;

  /** The machine's own. */
  Pace REAL =
      new Pace() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void pass(long ms) throws InterruptedException {
          TimeUnit.MILLISECONDS.sleep(ms);
        }
      };

  /** Nanoseconds from any origin. */
  long nanoTime();

  /** Lets {@code ms} milliseconds pass. */
  void pass(long ms) throws InterruptedException;

  /**
   * Looks again and again until {@code condition} holds; false when it does not within the time.
   */
  default boolean until(long ms, BooleanSupplier condition) throws InterruptedException {
    long end = nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (!condition.getAsBoolean()) {
      if (nanoTime() - end > 0) {
        return false;
      }
      pass(LOOK_MS);
    }
    return true;
  }
}
