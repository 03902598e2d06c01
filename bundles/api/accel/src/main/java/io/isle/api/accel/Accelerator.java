package io.isle.api.accel;

import io.isle.api.device.DeviceState;
import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/** One accelerator. This object stays valid across replacements of the driver. Thread-safe. */
@ProviderType
public interface Accelerator {
  /** Id of the device, such as {@code soft0}. */
  String id();

  /**
   * A snapshot of the device's properties and usage; during a recovery, with the last known
   * properties.
   *
   * @throws AccelException ENODEV if the device is not open
   */
  AcceleratorInfo info();

  /** The current state of the device. */
  DeviceState state();

  /** The number of openings of the device. */
  int epoch();

  /**
   * Opens a context in the capability's group. A group that does not exist counts as the root.
   *
   * @param capability requires ACCEL_COMPUTE; ACCEL_CONTEXT_RT for realtime priority; ACCEL_PREEMPT
   *     for a context without an execution limit
   * @throws AccelException ENODEV; ENOSPC if all contexts are in use; EINVAL and ERANGE with the
   *     name of the field; EBUSY, with the sum, if the requested guarantee exceeds the rest of the
   *     group's guarantee, or if the group is being deleted
   * @throws io.isle.api.tenancy.TenancyException EACCES, also if the group may not use the device;
   *     EREVOKED; EINVAL for realtime priority without a guarantee
   */
  Context open(Capability capability, ContextSpec spec);

  /**
   * Sets the performance level of the device for all tenants, until the next opening of the device.
   *
   * @param capability requires ACCEL_POWER
   * @param level auto, low, balanced or high
   * @throws AccelException ENODEV; EINTR while the device recovers; ENOTSUP for a device without
   *     levels; EINVAL for another level
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  void setPerformanceLevel(Capability capability, String level);

  /**
   * The guarantee and usage of the capability's own group on this device; see {@link
   * Accelerators#usage}.
   *
   * @throws AccelException ENODEV
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  GroupUsage usage(Capability capability);
}
