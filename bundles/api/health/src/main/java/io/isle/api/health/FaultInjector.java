package io.isle.api.health;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Plans faults on devices whose settings allow faults; for administrators. Thread-safe; may block.
 */
@ProviderType
public interface FaultInjector {
  /**
   * Plans a fault: after {@code after} further submissions, the fault affects the next {@code
   * count} submissions. The plan ends with the opening of the device. The call is recorded in the
   * audit log.
   *
   * @param fault latency, context_error, partial_error, hang, segv, abort, exit, lost_completion,
   *     ecc_correctable, ecc_uncorrectable, throttle, pcie_replay or hotplug
   * @param after 0 or more
   * @param count 1 or more
   * @param value for latency and throttle nanoseconds, for pcie_replay packets, for hotplug the
   *     connector; 0 or more
   * @throws HealthException ENODEV if the device is not open; EINTR while the device recovers;
   *     ENOTSUP if its settings forbid faults; EINVAL
   */
  void inject(String device, String fault, long after, long count, long value);
}
