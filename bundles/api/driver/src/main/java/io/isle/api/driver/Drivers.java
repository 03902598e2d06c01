package io.isle.api.driver;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The drivers of this node, including refused drivers. Results are snapshots. Thread-safe. */
@ProviderType
public interface Drivers {
  /** All drivers, by name. */
  List<DriverStatus> list();

  /** Waits until each present driver is checked, and its devices are open or refused. */
  void settle();

  /**
   * The state of a driver.
   *
   * @param info description of the driver
   * @param source symbolic name and version of the driver's bundle
   * @param error reason of a refusal; empty if the driver is in use
   * @param rollback devices on which an older version runs, and the reason; empty without a
   *     rollback
   * @param devices ids of its devices
   * @param missing the driver's reason for finding no device, if any; else empty
   */
  record DriverStatus(
      DriverInfo info,
      String source,
      String error,
      String rollback,
      List<String> devices,
      String missing) {
    public DriverStatus {
      devices = List.copyOf(devices);
    }

    /** A driver without a reason for missing devices. */
    public DriverStatus(
        DriverInfo info, String source, String error, String rollback, List<String> devices) {
      this(info, source, error, rollback, devices, "");
    }
  }
}
