package io.isle.core.drivers.nativecode.host;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts completions of what a host does not have, over a window: a few are a mistake of its
 * driver, many are an attack. For one thread; allocates nothing but text.
 */
final class UnknownCompletions {
  /** Most in a window. */
  static final int MOST = 1024;

  static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(60);

  private final LongSupplier clock;
  private long beganNs;
  private int count;
  private boolean tooMany;

  /**
   * @param clock in nanoseconds
   */
  UnknownCompletions(LongSupplier clock) {
    this.clock = clock;
    this.beganNs = clock.getAsLong();
  }

  /** There is one more. */
  void add() {
    long now = clock.getAsLong();
    if (now - beganNs >= WINDOW_NS) {
      beganNs = now;
      count = 0;
    }
    count++;
    tooMany |= count > MOST;
  }

  /** Whether there ever were more than {@link #MOST} in a window. */
  boolean tooMany() {
    return tooMany;
  }

  /** In this window. */
  int count() {
    return count;
  }

  String text() {
    return count + " times within " + TimeUnit.NANOSECONDS.toSeconds(WINDOW_NS) + " s";
  }
}
