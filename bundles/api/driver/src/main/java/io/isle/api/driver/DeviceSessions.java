package io.isle.api.driver;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The devices that are open now; offered by the owner of drivers. Whoever wants to hear of changes
 * registers a {@link DeviceSessionListener}. Thread-safe.
 */
@ProviderType
public interface DeviceSessions {
  /** Those that tenants can use now or are suspended, by name and number. */
  List<DeviceSession> list();

  /** Empty while the device is not open, or recovers. */
  Optional<DeviceSession> find(String device);
}
