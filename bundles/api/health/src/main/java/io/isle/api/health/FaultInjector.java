package io.isle.api.health;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Plans faults on devices whose settings allow them; for administrators. Thread-safe; may block.
 */
@ProviderType
public interface FaultInjector {
  /**
   * After {@code after} further submissions, the next {@code count} meet the fault. The plan goes
   * with the opening of the device. Written down.
   *
   * @param fault latency, context_error, partial_error, hang, segv, abort, exit, lost_completion,
   *     ecc_correctable, ecc_uncorrectable, throttle, pcie_replay or hotplug
   * @param after 0 or more
   * @param count 1 or more
   * @param value latency, throttle: nanoseconds; pcie_replay: packets; hotplug: connector; 0 or
   *     more
   * @throws HealthException ENODEV when the device is not open; EINTR while it recovers; ENOTSUP
   *     when its settings forbid faults; EINVAL
   */
  void inject(String device, String fault, long after, long count, long value);
}
