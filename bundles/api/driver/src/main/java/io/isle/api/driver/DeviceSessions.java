package io.isle.api.driver;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The sessions of the devices that are open now. Register a {@link DeviceSessionListener} for
 * notifications of changes. Thread-safe.
 */
@ProviderType
public interface DeviceSessions {
  /** Devices that are usable for tenants or suspended, by name and number. */
  List<DeviceSession> list();

  /** The session of a device; empty while the device is not open or recovers. */
  Optional<DeviceSession> find(String device);
}
