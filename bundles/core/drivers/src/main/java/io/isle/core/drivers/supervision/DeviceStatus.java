package io.isle.core.drivers.supervision;

import io.isle.api.device.DeviceHost;
import io.isle.api.device.Isolation;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.groups.GroupedOpened;
import io.isle.core.drivers.recovery.OwnedDevice;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What is told of a device, and to whom. Belongs to the device's lane. */
final class DeviceStatus {
  private final DeviceParts parts;
  private final Consumer<DeviceReport> reports;
  private String trouble = "";
  private volatile String rollback = "";

  DeviceStatus(DeviceParts parts, Consumer<DeviceReport> reports) {
    this.parts = parts;
    this.reports = reports;
  }

  /** As {@link DeviceSupervisor#rollback}. Any thread. */
  String rollback() {
    return rollback;
  }

  /** It was opened as the plan says now. */
  void opened() {
    rollback = parts.plan().rollback();
    report(parts.plan().note());
  }

  /**
   * Tells what is now.
   *
   * @param what is wrong from now on; empty if nothing is
   */
  void report(String what) {
    trouble = what;
    report();
  }

  /** Tells what is now; what was wrong still is. */
  void report() {
    Optional<OwnedDevice> owned = parts.sequence().opened();
    Optional<OpenedDevice> open = owned.map(OwnedDevice::opened);
    Optional<DriverProcess> process = open.flatMap(OpenedDevice::process);
    if (open.isEmpty()) {
      // what does not run is in nobody's place
      rollback = "";
    }
    reports.accept(
        new DeviceReport(
            parts.id(),
            parts.machine().state(),
            trouble,
            parts.openings().newest(),
            process.map(DriverProcess::pid),
            parts.standby().pid(),
            owned.map(device -> device.session().info()),
            open.map(OpenedDevice::services).orElse(List.of()),
            open.map(OpenedDevice::interfaces).orElse(List.of()),
            process.map(DriverProcess::sandbox).orElse(List.of()),
            open.map(device -> running())));
  }

  private Running running() {
    DriverHandle version = parts.plan().version();
    OpenedDevice open = parts.sequence().opened().orElseThrow().opened();
    Optional<GroupedOpened> apart = GroupedOpened.of(open);
    return new Running(
        parts.plan().spec(),
        version.info().version(),
        version.source(),
        rollback,
        apart.isPresent() ? Isolation.GROUP : Isolation.SHARED,
        apart.map(device -> device.all().list()).orElseGet(() -> only(open)));
  }

  /** Its one process, if it has one. */
  private static List<DeviceHost> only(OpenedDevice open) {
    return open.process().map(process -> new DeviceHost("", process.pid())).stream().toList();
  }
}
