package io.isle.api.driver;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The drivers of this node, those that were refused too. Thread-safe; snapshots. */
@ProviderType
public interface Drivers {
  /** All, by name. */
  List<DriverStatus> list();

  /** Waits until each driver that is here now was looked at and its devices are open or refused. */
  void settle();

  /**
   * A driver.
   *
   * @param source symbolic name and version of the bundle that brought it
   * @param error why it was refused; empty if it is in use
   * @param rollback where an older version runs in its place, and why; empty if none does
   * @param devices ids of its devices
   * @param missing why it found none, if it says so; else empty
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

    /** Of a driver that does not say why it found no device. */
    public DriverStatus(
        DriverInfo info, String source, String error, String rollback, List<String> devices) {
      this(info, source, error, rollback, devices, "");
    }
  }
}
