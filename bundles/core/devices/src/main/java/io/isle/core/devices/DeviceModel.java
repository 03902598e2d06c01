package io.isle.core.devices;

import io.isle.api.device.DeviceEvent;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What devices there shall be, from drivers and files, and what became of them. Level-triggered:
 * each change states what is now, and the model does what is missing. Belongs to one thread, which
 * never waits for the owner of a driver.
 */
final class DeviceModel {
  private final SeedNumbers numbers = new SeedNumbers();
  private final DeviceTable table;
  private final BiConsumer<String, String> refusals;
  private final DriverOwners owners;
  private final DeviceRequests requests;
  private final Epochs epochs;
  private Map<DeviceName, Map<String, String>> files = Map.of();

  /** How often the owner of a device's driver is still to take it away. */
  private final Map<DeviceName, Integer> leaving = new HashMap<>();

  /**
   * @param events hears of changes in order; not from within a call
   * @param refusals hears of device and reason when new settings are refused
   * @param calls how owners of drivers are called
   * @param epochs where those of the devices are kept
   */
  DeviceModel(
      Consumer<DeviceEvent> events,
      BiConsumer<String, String> refusals,
      DeviceCalls calls,
      Epochs epochs) {
    this.table = new DeviceTable(events);
    this.epochs = epochs;
    this.owners = new DriverOwners(table, calls);
    this.requests = new DeviceRequests(table, owners);
    this.refusals = refusals;
  }

  /** What may be asked of the devices. */
  DeviceRequests requests() {
    return requests;
  }

  /** The contents of all devices' files, as they are now. */
  void files(Map<DeviceName, Map<String, String>> now) {
    Map<DeviceName, Map<String, String>> before = files;
    files = Map.copyOf(now);
    for (DeviceName name : before.keySet()) {
      if (!files.containsKey(name)) {
        reconcile(name);
      }
    }
    for (DeviceName name : files.keySet().stream().sorted(DeviceName.ORDER).toList()) {
      if (!files.get(name).equals(before.get(name))) {
        reconcile(name);
      }
    }
  }

  Map<DeviceName, Map<String, String>> files() {
    return files;
  }

  /** Why the newest settings of a device are refused; empty if they are not. */
  String refusal(DeviceName name) {
    return table.find(name).map(device -> device.refusal).orElse("");
  }

  /** A driver is there, or another version of it; the name is its own and the description good. */
  void bind(BoundDriver driver) {
    owners.add(driver);
    table.bound(driver.info);
    Map<DeviceName, DeviceSeed> seeds = numbers.assign(driver.name(), driver.seeds);
    for (DeviceName name : seeds.keySet()) {
      make(name);
    }
    for (Device device : table.of(driver.name())) {
      device.seed = Optional.ofNullable(seeds.get(device.name));
      device.superseded = true;
      reconcile(device.name);
    }
  }

  /**
   * A driver is gone; nothing of it is called any more. What it had found goes with it; a device
   * that has a file stays, and says what it lacks.
   */
  void unbind(BoundDriver driver) {
    if (!owners.remove(driver)) {
      return;
    }
    table.unbound(driver.name());
    for (Device device : table.of(driver.name())) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      device.failure = "";
      device.seed = Optional.empty();
      if (device.file.isPresent()) {
        table.publish(device);
      } else {
        table.remove(device);
      }
    }
  }

  /**
   * What became of a device; false if it is not of a device that shall be there, or may be of the
   * one that had its name before.
   */
  boolean report(BoundDriver driver, DeviceReport report) {
    Optional<Device> found =
        DeviceName.parse(report.id(), driver.name())
            .flatMap(table::find)
            .filter(device -> device.applied.isPresent() && !leaving.containsKey(device.name));
    if (found.isEmpty() || owners.find(driver.name()).orElse(null) != driver) {
      return false;
    }
    Device device = found.get();
    device.report = Optional.of(report);
    device.failure = "";
    device.epoch = report.epoch();
    epochs.set(report.id(), report.epoch());
    device.info = report.info().or(() -> device.info);
    table.publish(device);
    return true;
  }

  /** Checks new file contents of a device; empty if they are good. */
  Optional<String> refusal(String id, Map<String, String> raw) {
    String driver = table.device(id).name.driver();
    return owners
        .find(driver)
        .map(bound -> SettingsCheck.check(bound.info, raw).asRefusal())
        .orElseGet(() -> SettingsCheck.common(driver, raw));
  }

  /** What the file of a device says; empty map if there is none. */
  Map<String, String> raw(String id) {
    return table.device(id).raw();
  }

  boolean isBound(String id) {
    return owners.find(table.device(id).name.driver()).isPresent();
  }

  String driver(String id) {
    return table.device(id).name.driver();
  }

  Snapshot snapshot() {
    return table.snapshot();
  }

  private Device make(DeviceName name) {
    Device device = table.make(name);
    device.epoch = epochs.of(device.id());
    return device;
  }

  private void reconcile(DeviceName name) {
    Device device = make(name);
    BoundDriver driver = owners.find(name.driver()).orElse(null);
    device.file = Optional.ofNullable(files.get(name));
    if (device.file.isEmpty() && device.seed.isEmpty()) {
      remove(device, driver);
      return;
    }
    if (driver == null) {
      refuse(device, SettingsCheck.common(name.driver(), device.raw()).orElse(""));
      table.publish(device);
      return;
    }
    Optional<DesiredSettings> desired = desired(device, driver);
    if (desired.isPresent()) {
      apply(device, desired.get());
    } else if (device.applied.isPresent()) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      leave(device);
    }
    table.publish(device);
  }

  private Optional<DesiredSettings> desired(Device device, BoundDriver driver) {
    SettingsCheck.Result result = SettingsCheck.check(driver.info, device.raw());
    refuse(device, result.refusal());
    if (result.desired().isPresent()) {
      device.good = Optional.of(device.raw());
      return result.desired();
    }
    return device.good.flatMap(raw -> SettingsCheck.check(driver.info, raw).desired());
  }

  private void refuse(Device device, String why) {
    if (!why.isEmpty() && !why.equals(device.refusal)) {
      refusals.accept(device.id(), why);
    }
    device.refusal = why;
  }

  private void apply(Device device, DesiredSettings desired) {
    DeviceSpec spec =
        new DeviceSpec(
            device.id(),
            device.seedOrConfigured(),
            desired.tier(),
            desired.enabled(),
            desired.isolation(),
            desired.settings());
    if (!device.superseded && device.applied.filter(spec::equals).isPresent()) {
      return;
    }
    device.superseded = false;
    device.applied = Optional.of(spec);
    owners.tell(device, control -> control.apply(spec), untold -> {});
  }

  private void remove(Device device, BoundDriver driver) {
    boolean applied = device.applied.isPresent();
    device.applied = Optional.empty();
    if (applied && driver != null) {
      leave(device);
    }
    table.remove(device);
  }

  private void leave(Device device) {
    leaving.merge(device.name, 1, Integer::sum);
    owners.tell(
        device,
        control -> control.remove(device.id()),
        untold ->
            leaving.computeIfPresent(device.name, (name, left) -> left == 1 ? null : left - 1));
  }
}
