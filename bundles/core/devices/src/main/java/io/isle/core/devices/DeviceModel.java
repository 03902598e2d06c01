package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What devices there shall be, from drivers and files, and what became of them. Level-triggered:
 * each change states what is now, and the model does what is missing. Belongs to one thread; {@link
 * io.isle.api.driver.DeviceRegistry.DeviceControl} is called on it.
 */
final class DeviceModel {
  private final Map<String, BoundDriver> drivers = new HashMap<>();
  private final Map<String, DriverInfo> seen = new HashMap<>();
  private final TreeMap<DeviceName, Device> devices = new TreeMap<>(DeviceName.ORDER);
  private final SeedNumbers numbers = new SeedNumbers();
  private final Consumer<DeviceEvent> events;
  private final BiConsumer<String, String> refusals;
  private Map<DeviceName, Map<String, String>> files = Map.of();

  /**
   * @param events hears of changes in order; not from within a call
   * @param refusals hears of device and reason when new settings are refused
   */
  DeviceModel(Consumer<DeviceEvent> events, BiConsumer<String, String> refusals) {
    this.events = events;
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
    seen.put(driver.name(), driver.info);
    Map<DeviceName, DeviceSeed> seeds = numbers.assign(driver.name(), driver.seeds);
    for (DeviceName name : seeds.keySet()) {
      devices.computeIfAbsent(name, Device::new);
    }
    for (Device device : of(driver.name())) {
      device.seed = Optional.ofNullable(seeds.get(device.name));
      reconcile(device.name);
    }
  }

  /** A driver is gone; nothing of it is called any more. */
  void unbind(BoundDriver driver) {
    if (!drivers.remove(driver.name(), driver)) {
      return;
    }
    for (Device device : of(driver.name())) {
      device.applied = Optional.empty();
      device.report = Optional.empty();
      device.failure = "";
      publish(device);
    }
  }

  /** What became of a device; false if it is not of a device that shall be there. */
  boolean report(BoundDriver driver, DeviceReport report) {
    Optional<Device> found =
        DeviceName.parse(report.id(), driver.name()).map(devices::get).filter(this::isApplied);
    if (found.isEmpty() || drivers.get(driver.name()) != driver) {
      return false;
    }
    Device device = found.get();
    device.report = Optional.of(report);
    device.failure = "";
    device.epoch = report.epoch();
    device.info = report.info().or(() -> device.info);
    publish(device);
    return true;
  }

  /** Closes a device and opens it anew. */
  void reload(String id) {
    Device device = device(id);
    BoundDriver driver = drivers.get(device.name.driver());
    if (driver == null || device.applied.isEmpty()) {
      throw new DeviceException(Errno.ENODEV, id + " cannot be opened: " + error(device));
    }
    DeviceSpec spec = device.applied.get();
    if (!spec.enabled()) {
      throw new DeviceException(Errno.EINVAL, id + " is disabled; enable it instead");
    }
    guarded(device, () -> driver.control.reload(spec));
    if (device.node.orElseThrow().state() == DeviceState.FAILED) {
      throw new DeviceException(Errno.ENODEV, id + " could not be opened: " + error(device));
    }
  }

  /** Checks new file contents of a device; empty if they are good. */
  Optional<String> refusal(String id, Map<String, String> raw) {
    String driver = device(id).name.driver();
    BoundDriver bound = drivers.get(driver);
    if (bound != null) {
      SettingsCheck.Result result = SettingsCheck.check(bound.info, raw);
      return result.wanted().isPresent() ? Optional.empty() : Optional.of(result.refusal());
    }
    return SettingsCheck.common(driver, raw);
  }

  /** What the file of a device says; empty map if there is none. */
  Map<String, String> raw(String id) {
    return device(id).raw();
  }

  boolean isBound(String id) {
    return drivers.containsKey(device(id).name.driver());
  }

  String driver(String id) {
    return device(id).name.driver();
  }

  Snapshot snapshot() {
    List<DeviceNode> nodes = new ArrayList<>();
    Map<String, Map<String, String>> settings = new HashMap<>();
    for (Device device : devices.values()) {
      device.node.ifPresent(nodes::add);
      settings.put(device.id(), settings(device));
    }
    return Snapshot.of(nodes, settings);
  }

  private void reconcile(DeviceName name) {
    Device device = devices.computeIfAbsent(name, Device::new);
    BoundDriver driver = drivers.get(name.driver());
    device.file = Optional.ofNullable(files.get(name));
    if (device.file.isEmpty() && device.seed.isEmpty()) {
      remove(device, driver);
      return;
    }
    if (driver == null) {
      refuse(device, SettingsCheck.common(name.driver(), device.raw()).orElse(""));
      publish(device);
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
    publish(device);
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
    devices.remove(device.name);
    device.node.ifPresent(node -> events.accept(new DeviceEvent.Removed(node)));
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
      publish(device);
    }
  }

  private static String reason(DriverException e) {
    return e.getMessage() + " (" + Errno.name(e.code()) + ")";
  }

  private void publish(Device device) {
    if (devices.get(device.name) != device) {
      return;
    }
    String driver = device.name.driver();
    DriverInfo info = seen.get(driver);
    DeviceNode node =
        Nodes.node(
            device,
            info == null ? "" : Nodes.clean(info.version()),
            drivers.containsKey(driver),
            info != null,
            parent(device));
    Optional<DeviceNode> before = device.node;
    if (before.filter(node::equals).isPresent()) {
      return;
    }
    device.node = Optional.of(node);
    events.accept(
        before
            .<DeviceEvent>map(old -> new DeviceEvent.Changed(old, node))
            .orElseGet(() -> new DeviceEvent.Added(node)));
  }

  private Optional<String> parent(Device device) {
    return device
        .seed
        .map(DeviceSeed::parent)
        .filter(parent -> !parent.isEmpty())
        .flatMap(
            parent ->
                of(device.name.driver()).stream()
                    .filter(other -> other != device)
                    .filter(other -> other.seed.filter(s -> s.name().equals(parent)).isPresent())
                    .map(Device::id)
                    .findFirst());
  }

  private Map<String, String> settings(Device device) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(SettingsCheck.DRIVER, device.name.driver());
    Optional<DeviceSpec> spec = device.applied;
    if (spec.isPresent()) {
      all.put(SettingsCheck.TIER, Integer.toString(spec.get().tier()));
      all.put(SettingsCheck.ENABLED, Boolean.toString(spec.get().enabled()));
      all.putAll(new TreeMap<>(spec.get().settings()));
    } else {
      all.putAll(new TreeMap<>(device.raw()));
    }
    return all;
  }

  private boolean isApplied(Device device) {
    return device.applied.isPresent();
  }

  private List<Device> of(String driver) {
    return devices.values().stream().filter(d -> d.name.driver().equals(driver)).toList();
  }

  private Device device(String id) {
    return devices.values().stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(id));
  }

  private DeviceException unknown(String id) {
    String shown = Nodes.clean(id);
    return new DeviceException(
        Errno.ENOENT,
        "no device " + shown + (devices.isEmpty() ? "; there are none" : "; there are " + ids()));
  }

  private String ids() {
    return String.join(", ", devices.values().stream().map(Device::id).toList());
  }

  private static String error(Device device) {
    return device.node.map(DeviceNode::error).filter(text -> !text.isEmpty()).orElse("no reason");
  }
}
