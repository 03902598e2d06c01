package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Load of devices (accelerator framework, 42.2.3). Thread-safe; may block. */
@ProviderType
public interface DeviceUtilization {
  /**
   * The load of each open device, by name and number. The list omits a device that recovers, does
   * not answer in time, or gives invalid answers.
   *
   * @throws HealthException another refusal by a driver
   */
  List<UtilizationInfo> list();
}
