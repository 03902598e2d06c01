package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
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
 * each change states what is now, and the model does what is missing. Belongs to one thread, which
 * never waits for the owner of a driver.
 */
final class DeviceModel {
  private final Map<String, BoundDriver> drivers = new HashMap<>();
  private final SeedNumbers numbers = new SeedNumbers();
  private final DeviceTable table;
  private final BiConsumer<String, String> refusals;
  private final DeviceCalls calls;
  private Map<DeviceName, Map<String, String>> files = Map.of();

  /**
   * @param events hears of changes in order; not from within a call
   * @param refusals hears of device and reason when new settings are refused
   * @param calls how owners of drivers are called
   */
  DeviceModel(
      Consumer<DeviceEvent> events, BiConsumer<String, String> refusals, DeviceCalls calls) {
    this.calls = calls;
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

  /** A driver is there, or another version of it; the name is its own and the description good. */
  void bind(BoundDriver driver) {
    drivers.put(driver.name(), driver);
    table.bound(driver.info);
    Map<DeviceName, DeviceSeed> seeds = numbers.assign(driver.name(), driver.seeds);
    for (DeviceName name : seeds.keySet()) {
      table.make(name);
    }
    for (Device device : table.of(driver.name())) {
      device.seed = Optional.ofNullable(seeds.get(device.name));
      device.superseded = true;
      reconcile(device.name);
    }
  }

  /** A driver is gone; nothing of it is called any more. */
  void unbind(BoundDriver driver) {
    driver.gone = true;
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

  /**
   * Closes a device and opens it anew.
   *
   * @param done hears of the end, with null or what went wrong
   */
  void reload(String id, Consumer<RuntimeException> done) {
    reopen(id, (control, spec) -> control.reload(spec), done);
  }

  /** Interrupts a device's work and opens it anew; {@code done} as for {@link #reload}. */
  void reset(String id, Consumer<RuntimeException> done) {
    reopen(id, (control, spec) -> control.reset(spec), done);
  }

  private void reopen(
      String id, BiConsumer<DeviceControl, DeviceSpec> how, Consumer<RuntimeException> done) {
    Device device = applied(id);
    DeviceSpec spec = device.applied.get();
    if (!spec.enabled()) {
      throw new DeviceException(Errno.EINVAL, id + " is disabled; enable it instead");
    }
    guarded(
        device,
        control -> how.accept(control, spec),
        () -> {
          boolean failed = device.node.orElseThrow().state() == DeviceState.FAILED;
          done.accept(
              failed
                  ? new DeviceException(
                      Errno.ENODEV, id + " could not be opened: " + device.error())
                  : null);
        });
  }

  /** Stops work on a device; {@code done} as for {@link #reload}. */
  void suspend(String id, Consumer<RuntimeException> done) {
    ask(id, control -> control.suspend(id), done);
  }

  /** Goes on with it; {@code done} as for {@link #reload}. */
  void resume(String id, Consumer<RuntimeException> done) {
    ask(id, control -> control.resume(id), done);
  }

  /** Harms its driver's process; {@code done} as for {@link #reload}. */
  void injectFault(String id, HostFault fault, Consumer<RuntimeException> done) {
    ask(id, control -> control.injectFault(id, fault), done);
  }

  private void ask(String id, Consumer<DeviceControl> what, Consumer<RuntimeException> done) {
    BoundDriver driver = drivers.get(applied(id).name.driver());
    calls.call(
        id,
        () -> {
          if (driver.gone) {
            throw new DeviceException(Errno.ENODEV, "driver " + driver.name() + " is gone");
          }
          what.accept(driver.control);
        },
        failure ->
            done.accept(
                failure instanceof DriverException refused
                    ? new DeviceException(refused.code(), refused.getMessage(), refused)
                    : failure));
  }

  /** A device that its driver's owner knows. */
  private Device applied(String id) {
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
      apply(device, wanted.get());
    } else if (device.applied.isPresent()) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      guarded(device, control -> control.remove(device.id()), () -> {});
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

  private void apply(Device device, Wanted wanted) {
    DeviceSpec spec =
        new DeviceSpec(
            device.id(),
            device.seedOrConfigured(),
            wanted.tier(),
            wanted.enabled(),
            wanted.settings());
    if (!device.superseded && device.applied.filter(spec::equals).isPresent()) {
      return;
    }
    device.superseded = false;
    device.applied = Optional.of(spec);
    guarded(device, control -> control.apply(spec), () -> {});
  }

  private void remove(Device device, BoundDriver driver) {
    boolean applied = device.applied.isPresent();
    device.applied = Optional.empty();
    if (applied && driver != null) {
      guarded(device, control -> control.remove(device.id()), () -> {});
    }
    table.remove(device);
  }

  /** Calls the driver's owner: whatever it throws becomes the device's failure. */
  private void guarded(Device device, Consumer<DeviceControl> what, Runnable then) {
    BoundDriver driver = drivers.get(device.name.driver());
    calls.call(
        device.id(),
        () -> call(driver, what),
        failure -> {
          device.failure = failure == null ? "" : reason(failure);
          if (device.node.isPresent() || device.applied.isPresent()) {
            table.publish(device);
          }
          then.run();
        });
  }

  private static void call(BoundDriver driver, Consumer<DeviceControl> what) {
    if (!driver.gone) {
      what.accept(driver.control);
    }
  }

  private static String reason(RuntimeException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return e instanceof DriverException known ? text + " (" + Errno.name(known.code()) + ")" : text;
  }
}
