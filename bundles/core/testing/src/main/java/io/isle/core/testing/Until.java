package io.isle.core.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does, without an end that a build would wait for. */
public final class Until {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private Until() {}

  /** Whether it comes to hold. */
  public static boolean holds(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.yield();
    }
    return true;
  }
}
