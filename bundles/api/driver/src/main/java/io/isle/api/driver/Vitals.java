package io.isle.api.driver;

import io.isle.api.base.Errno;

/** Load, power and performance level, for every device. Control lane. */
public interface Vitals {
  /** The current utilisation. */
  Utilization utilization();

  /** The current power and thermal state. */
  PowerState power();

  /**
   * Sets the performance level until the next opening of the device.
   *
   * @throws DriverException ENOTSUP for a device without levels
   */
  default void setPerformanceLevel(PerformanceLevel level) {
    throw new DriverException(Errno.ENOTSUP, "the device has no performance levels");
  }
}
