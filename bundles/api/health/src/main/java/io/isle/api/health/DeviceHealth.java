package io.isle.api.health;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Counters that fault management watches (42.3.4). Thread-safe; may block. */
@ProviderType
public interface DeviceHealth {
  /**
   * One row an open device, by name and number. One that recovers, does not answer in time or
   * answers nonsense is left out.
   *
   * @throws HealthException what else a driver refuses
   */
  List<HealthInfo> list();
}
