package io.isle.spin.nic.hpus;

import io.isle.api.driver.HpuLimits;

/**
 * Times after which the process of the HPUs should have ended a task, in nanoseconds.
 *
 * @param runningNs without the waits for the host
 * @param waitingNs of one wait for the host
 */
public record TaskBounds(long runningNs, long waitingNs) {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long WALL = 20;
  private static final long PATIENCE_NS = 2_000 * MS;

  /** Those of limits; some time more, as a machine may be busy. */
  public static TaskBounds of(HpuLimits limits) {
    return new TaskBounds(
        WALL * limits.handlerMicros() * US + PATIENCE_NS,
        limits.hostWaitMillis() * MS + PATIENCE_NS);
  }
}
