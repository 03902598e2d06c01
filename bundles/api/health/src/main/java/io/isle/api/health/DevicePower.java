package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Power and thermal state of devices, and how fast they run (42.3.1). Thread-safe; may block. */
@ProviderType
public interface DevicePower {
  /**
   * One row an open device, by name and number. One that recovers, does not answer in time or
   * answers nonsense is left out.
   *
   * @throws HealthException what else a driver refuses
   */
  List<PowerInfo> list();

  /**
   * For administrators: sets the performance level of a device, which holds until the device is
   * opened anew. Written down.
   *
   * @param level auto, low, balanced or high
   * @throws HealthException ENODEV when it is not open; EINTR while it recovers; ENOTSUP without
   *     levels; EINVAL for another word
   */
  void setPerformanceLevel(String device, String level);
}
