package io.isle.spin.nic.engine;

import io.isle.api.driver.HpuLimits;
import io.isle.api.spin.HostReply;

/**
 * What a context at work is made with.
 *
 * @param nic name of the interface
 * @param limits of its handlers
 */
public record SlotPlan(String nic, String name, HpuLimits limits, HostReply reply) {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long WALL = 20;
  private static final long PATIENCE_NS = 2_000 * MS;

  /** Time after which a task that does not wait for the host should have been ended. */
  long mostRunningNs() {
    return WALL * limits.handlerMicros() * US + PATIENCE_NS;
  }

  /** Time after which a wait for the host should have been ended. */
  long mostWaitingNs() {
    return limits.hostWaitMillis() * MS + PATIENCE_NS;
  }
}
