package io.isle.api.accel;

import io.isle.api.base.Errno;
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
   * Opens a context.
   *
   * @param capability ACCEL_COMPUTE is needed; ACCEL_CONTEXT_RT for realtime; ACCEL_PREEMPT to run
   *     without an execution limit
   * @throws AccelException ENODEV, ENOSPC (all contexts taken), EINVAL naming the field, ENOTSUP
   *     for bandwidth fields
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
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
   * Its screens.
   *
   * @param capability ACCEL_DISPLAY is needed
   * @throws AccelException ENODEV; EINTR while it recovers; ENOTSUP for a device without a display
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  default Display display(Capability capability) {
    throw new AccelException(Errno.ENOTSUP, id() + " has no display");
  }
}
