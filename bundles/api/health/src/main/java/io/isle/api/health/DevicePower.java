package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Power and thermal state of devices, and their performance levels (accelerator framework, 42.3.1).
 * Thread-safe; may block.
 */
@ProviderType
public interface DevicePower {
  /**
   * The state of each open device, by name and number. The list omits a device that recovers, does
   * not answer in time, or gives invalid answers.
   *
   * @throws HealthException another refusal by a driver
   */
  List<PowerInfo> list();

  /**
   * For administrators: sets the performance level of a device until the next opening of the
   * device. The change is recorded in the audit log.
   *
   * @param level auto, low, balanced or high
   * @throws HealthException ENODEV if the device is not open; EINTR while the device recovers;
   *     ENOTSUP for a device without levels; EINVAL for another level
   */
  void setPerformanceLevel(String device, String level);
}
