package io.isle.faces.shell.driver;

import io.isle.api.driver.Drivers;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;

/** Drivers as rows. */
final class DriverRows {
  private DriverRows() {}

  static List<DriverStatus> all(Services services) {
    return services.with(Drivers.class, Drivers::list);
  }

  static DriverStatus find(Services services, String name) {
    List<DriverStatus> all = all(services);
    return all.stream()
        .filter(driver -> driver.info().name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.failed(
                    "no driver "
                        + name
                        + (all.isEmpty()
                            ? "; no drivers are installed"
                            : "; the drivers are " + names(all))));
  }

  static Table<DriverStatus> table() {
    return new Table<DriverStatus>("No drivers. Install the bundle of a driver.")
        .column("name", driver -> driver.info().name())
        .column("version", driver -> driver.info().version())
        .column("kabi", DriverRows::kabi)
        .column("native", driver -> driver.info().nativeCode())
        .column("devices", driver -> driver.devices().size())
        .column("source", DriverStatus::source)
        .column("error", driver -> driver.error().isEmpty() ? null : driver.error())
        .column("rollback", driver -> driver.rollback().isEmpty() ? null : driver.rollback());
  }

  private static String kabi(DriverStatus driver) {
    int version = driver.info().kabi();
    return (version >>> 16) + "." + (version & 0xffff);
  }

  private static String names(List<DriverStatus> all) {
    return String.join(", ", all.stream().map(driver -> driver.info().name()).toList());
  }
}
