package io.isle.api.driver;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A driver, published as an OSGi service (whiteboard). The C counterpart is {@code
 * isle_driver_entry}. The core calls a driver from one thread at a time.
 */
@ConsumerType
public interface Driver {
  /** Description of the driver, constant during the life of the service. */
  DriverInfo info();

  /**
   * The devices that are present now.
   *
   * @throws DriverException if the search failed
   */
  List<DeviceSeed> probe();

  /**
   * Opens a device.
   *
   * @param seed a result of {@link #probe}, or a device configured by the administrator
   * @param settings value of every key of the schema, checked by the core
   * @param core services for this device, valid until the return of {@link AccelDevice#close}
   * @throws DriverException if the device cannot be opened; the driver must have released all of
   *     its resources then
   */
  AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core);
}
