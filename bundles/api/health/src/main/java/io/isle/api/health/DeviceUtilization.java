package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Load of devices (42.2.3). Thread-safe; may block. */
@ProviderType
public interface DeviceUtilization {
  /**
   * One row an open device, by name and number. One that recovers, does not answer in time or
   * answers nonsense is left out.
   *
   * @throws HealthException what else a driver refuses
   */
  List<UtilizationInfo> list();
}
