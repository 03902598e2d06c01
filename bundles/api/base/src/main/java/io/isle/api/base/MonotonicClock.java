package io.isle.api.base;

/**
 * The platform's time base: CLOCK_MONOTONIC in nanoseconds. Tests and the simulator use other
 * implementations.
 */
@FunctionalInterface
public interface MonotonicClock {
  /** The machine's clock, which drivers and driver hosts read too. Thread-safe. */
  MonotonicClock SYSTEM = System::nanoTime;

  /** The current time in nanoseconds. Times of the processes of one machine are comparable. */
  long nanoTime();
}
