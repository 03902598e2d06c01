package io.isle.api.driver;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A driver, published as an OSGi service (whiteboard); its C twin is {@code isle_driver_entry}. The
 * core calls it from one thread at a time.
 */
@ConsumerType
public interface Driver {
  /** Constant for the life of the service. */
  DriverInfo info();

  /**
   * The devices that are there now.
   *
   * @throws DriverException when the search itself failed
   */
  List<DeviceSeed> probe();

  /**
   * Opens a device.
   *
   * @param seed one of {@link #probe}'s, or one that the administrator configured
   * @param settings value of every key of the schema, checked by the core
   * @param core services for this device until its {@link AccelDevice#close} has returned
   * @throws DriverException when it cannot be opened; then nothing of it is left
   */
  AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core);
}
