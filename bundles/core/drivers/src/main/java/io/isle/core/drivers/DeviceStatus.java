package io.isle.core.drivers;

import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.Running;
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
    Optional<OpenedDevice> open = parts.sequence().opened();
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
            open.flatMap(OpenedDevice::hostPid),
            parts.standby().pid(),
            open.map(device -> device.device().info()),
            open.map(OpenedDevice::services).orElse(List.of()),
            open.map(OpenedDevice::interfaces).orElse(List.of()),
            open.map(OpenedDevice::sandbox).orElse(List.of()),
            open.map(device -> running())));
  }

  private Running running() {
    DriverHandle version = parts.plan().version();
    OpenedDevice open = parts.sequence().opened().orElseThrow();
    return new Running(
        parts.plan().spec(),
        version.info().version(),
        version.source(),
        rollback,
        open.isolation(),
        open.hosts());
  }
}
