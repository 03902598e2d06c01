package io.isle.api.driver;

import io.isle.api.base.Errno;

/** What every device tells of its load and power, and how fast it is to run. Control lane. */
public interface Vitals {
  Utilization utilization();

  PowerState power();

  /**
   * Holds until the device is opened anew.
   *
   * @throws DriverException ENOTSUP unless the device has levels
   */
  default void setPerformanceLevel(PerformanceLevel level) {
    throw new DriverException(Errno.ENOTSUP, "the device has no performance levels");
  }
}
