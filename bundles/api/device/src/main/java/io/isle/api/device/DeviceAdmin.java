package io.isle.api.device;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Changes of devices' settings by an administrator. A change is written to the device's file and
 * outlives reload and restart. Thread-safe; calls return when the change is in force.
 */
@ProviderType
public interface DeviceAdmin {
  /**
   * Changes settings of a device.
   *
   * @param changes key to value; a null value goes back to the default
   * @throws DeviceException ENOENT unknown device; EINVAL bad key or value, naming it; then nothing
   *     changed
   */
  void configure(String id, Map<String, String> changes);

  /**
   * Opens again a device that failed, or reopens one that works.
   *
   * @throws DeviceException ENOENT unknown device; ENODEV when it is FAILED afterwards, with the
   *     reason
   */
  void reload(String id);
}
