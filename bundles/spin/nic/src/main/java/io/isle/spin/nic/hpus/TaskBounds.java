package io.isle.spin.nic.hpus;

import io.isle.api.driver.HpuLimits;

/**
 * Times of a task, in nanoseconds.
 *
 * @param runningNs time after which the process of the HPUs should have ended it, without the waits
 *     for the host
 * @param waitingNs time of a wait for the host, after which the task counts as running
 */
public record TaskBounds(long runningNs, long waitingNs) {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long WALL = 20;
  private static final long PATIENCE_NS = 2_000 * MS;

  /** Those of limits; some time more to end it, as a machine may be busy. */
  public static TaskBounds of(HpuLimits limits) {
    return new TaskBounds(
        WALL * limits.handlerMicros() * US + PATIENCE_NS, limits.hostWaitMillis() * MS);
  }
}
