package io.isle.api.base;

/**
 * The platform's time base, CLOCK_MONOTONIC in nanoseconds; replaced by tests and the simulator.
 */
@FunctionalInterface
public interface MonotonicClock {
  /** The machine's clock: the same one that drivers and driver hosts read. */
  MonotonicClock SYSTEM = System::nanoTime;

  /** Nanoseconds; comparable between processes of one machine. */
  long nanoTime();
}
