package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Counters for fault management (accelerator framework, 42.3.4). Thread-safe; may block. */
@ProviderType
public interface DeviceHealth {
  /**
   * The counters of each open device, by name and number. The list omits a device that recovers,
   * does not answer in time, or gives invalid answers.
   *
   * @throws HealthException another refusal by a driver
   */
  List<HealthInfo> list();
}
