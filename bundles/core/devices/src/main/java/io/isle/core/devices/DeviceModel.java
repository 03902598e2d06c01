package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What devices there shall be, from drivers and files, and what became of them. Level-triggered:
 * each change states what is now, and the model does what is missing. Belongs to one thread; {@link
 * io.isle.api.driver.DeviceRegistry.DeviceControl} is called on it.
 */
final class DeviceModel {
  private final Map<String, BoundDriver> drivers = new HashMap<>();
  private final SeedNumbers numbers = new SeedNumbers();
  private final DeviceTable table;
  private final BiConsumer<String, String> refusals;
  private Map<DeviceName, Map<String, String>> files = Map.of();

  /**
   * @param events hears of changes in order; not from within a call
   * @param refusals hears of device and reason when new settings are refused
   */
  DeviceModel(Consumer<DeviceEvent> events, BiConsumer<String, String> refusals) {
    this.table = new DeviceTable(events);
    this.refusals = refusals;
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

  /** A driver is there; the name is free and the description good. */
  void bind(BoundDriver driver) {
    drivers.put(driver.name(), driver);
    table.bound(driver.info);
    Map<DeviceName, DeviceSeed> seeds = numbers.assign(driver.name(), driver.seeds);
    for (DeviceName name : seeds.keySet()) {
      table.make(name);
    }
    for (Device device : table.of(driver.name())) {
      device.seed = Optional.ofNullable(seeds.get(device.name));
      reconcile(device.name);
    }
  }

  /** A driver is gone; nothing of it is called any more. */
  void unbind(BoundDriver driver) {
    if (!drivers.remove(driver.name(), driver)) {
      return;
    }
    table.unbound(driver.name());
    for (Device device : table.of(driver.name())) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      device.failure = "";
      table.publish(device);
    }
  }

  /** What became of a device; false if it is not of a device that shall be there. */
  boolean report(BoundDriver driver, DeviceReport report) {
    Optional<Device> found =
        DeviceName.parse(report.id(), driver.name())
            .flatMap(table::find)
            .filter(device -> device.applied.isPresent());
    if (found.isEmpty() || drivers.get(driver.name()) != driver) {
      return false;
    }
    Device device = found.get();
    device.report = Optional.of(report);
    device.failure = "";
    device.epoch = report.epoch();
    device.info = report.info().or(() -> device.info);
    table.publish(device);
    return true;
  }

  /** Closes a device and opens it anew. */
  void reload(String id) {
    Device device = table.device(id);
    BoundDriver driver = drivers.get(device.name.driver());
    if (driver == null || device.applied.isEmpty()) {
      throw new DeviceException(Errno.ENODEV, id + " cannot be opened: " + device.error());
    }
    DeviceSpec spec = device.applied.get();
    if (!spec.enabled()) {
      throw new DeviceException(Errno.EINVAL, id + " is disabled; enable it instead");
    }
    guarded(device, () -> driver.control.reload(spec));
    if (device.node.orElseThrow().state() == DeviceState.FAILED) {
      throw new DeviceException(Errno.ENODEV, id + " could not be opened: " + device.error());
    }
  }

  /** Interrupts a device's work and opens it anew. */
  void reset(String id) {
    Device device = open(id);
    guarded(device, () -> drivers.get(device.name.driver()).control.reset(device.applied.get()));
  }

  void suspend(String id) {
    drivers.get(open(id).name.driver()).control.suspend(id);
  }

  void resume(String id) {
    drivers.get(open(id).name.driver()).control.resume(id);
  }

  private Device open(String id) {
    Device device = table.device(id);
    if (!drivers.containsKey(device.name.driver()) || device.applied.isEmpty()) {
      throw new DeviceException(Errno.ENODEV, id + " is not open: " + device.error());
    }
    return device;
  }

  /** Checks new file contents of a device; empty if they are good. */
  Optional<String> refusal(String id, Map<String, String> raw) {
    String driver = table.device(id).name.driver();
    BoundDriver bound = drivers.get(driver);
    if (bound != null) {
      SettingsCheck.Result result = SettingsCheck.check(bound.info, raw);
      return result.wanted().isPresent() ? Optional.empty() : Optional.of(result.refusal());
    }
    return SettingsCheck.common(driver, raw);
  }

  /** What the file of a device says; empty map if there is none. */
  Map<String, String> raw(String id) {
    return table.device(id).raw();
  }

  boolean isBound(String id) {
    return drivers.containsKey(table.device(id).name.driver());
  }

  String driver(String id) {
    return table.device(id).name.driver();
  }

  Snapshot snapshot() {
    return table.snapshot();
  }

  private void reconcile(DeviceName name) {
    Device device = table.make(name);
    BoundDriver driver = drivers.get(name.driver());
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
    Optional<Wanted> wanted = wanted(device, driver);
    if (wanted.isPresent()) {
      apply(device, driver, wanted.get());
    } else if (device.applied.isPresent()) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      guarded(device, () -> driver.control.remove(device.id()));
    }
    table.publish(device);
  }

  private Optional<Wanted> wanted(Device device, BoundDriver driver) {
    SettingsCheck.Result result = SettingsCheck.check(driver.info, device.raw());
    refuse(device, result.refusal());
    if (result.wanted().isPresent()) {
      device.good = Optional.of(device.raw());
      return result.wanted();
    }
    return device.good.flatMap(raw -> SettingsCheck.check(driver.info, raw).wanted());
  }

  private void refuse(Device device, String why) {
    if (!why.isEmpty() && !why.equals(device.refusal)) {
      refusals.accept(device.id(), why);
    }
    device.refusal = why;
  }

  private void apply(Device device, BoundDriver driver, Wanted wanted) {
    DeviceSpec spec =
        new DeviceSpec(
            device.id(),
            device.seedOrConfigured(),
            wanted.tier(),
            wanted.enabled(),
            wanted.settings());
    if (device.applied.filter(spec::equals).isPresent()) {
      return;
    }
    device.applied = Optional.of(spec);
    guarded(device, () -> driver.control.apply(spec));
  }

  private void remove(Device device, BoundDriver driver) {
    boolean applied = device.applied.isPresent();
    device.applied = Optional.empty();
    if (applied && driver != null) {
      guarded(device, () -> driver.control.remove(device.id()));
    }
    table.remove(device);
  }

  /** Calls the driver's owner: whatever it throws becomes the device's failure. */
  private void guarded(Device device, Runnable call) {
    device.failure = "";
    try {
      call.run();
    } catch (RuntimeException | LinkageError e) {
      String text = e.getMessage() == null ? e.toString() : e.getMessage();
      device.failure = e instanceof DriverException known ? reason(known) : text;
    }
    if (device.node.isPresent() || device.applied.isPresent()) {
      table.publish(device);
    }
  }

  private static String reason(DriverException e) {
    return e.getMessage() + " (" + Errno.name(e.code()) + ")";
  }
}
