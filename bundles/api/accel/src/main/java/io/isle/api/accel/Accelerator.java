package io.isle.api.accel;

import io.isle.api.device.DeviceState;
import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/** One accelerator; the handle stays good over reloads of its driver. Thread-safe. */
@ProviderType
public interface Accelerator {
  String id();

  AcceleratorInfo info();

  DeviceState state();

  /** Grows each time that the driver was opened. */
  int epoch();

  /**
   * Opens a context in the capability's group. A group that nobody made counts as the root.
   *
   * @param capability ACCEL_COMPUTE is needed; ACCEL_CONTEXT_RT for realtime; ACCEL_PREEMPT to run
   *     without an execution limit
   * @throws AccelException ENODEV, ENOSPC (all contexts taken), EINVAL and ERANGE naming the field;
   *     EBUSY when the group has not so much left to guarantee, with the sum, or is being deleted
   * @throws io.isle.api.tenancy.TenancyException EACCES, also when the group may not use the
   *     device; EREVOKED; EINVAL for realtime without a guarantee
   */
  Context open(Capability capability, ContextSpec spec);

  /**
   * Sets how fast the device runs, for all who use it; holds until it is opened anew.
   *
   * @param capability ACCEL_POWER is needed
   * @param level auto, low, balanced or high
   * @throws AccelException ENODEV; EINTR while it recovers; ENOTSUP without levels; EINVAL another
   *     word
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  void setPerformanceLevel(Capability capability, String level);

  /**
   * What the capability's own group was promised and has of this device; see {@link
   * Accelerators#usage}.
   *
   * @throws AccelException ENODEV
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  GroupUsage usage(Capability capability);
}
