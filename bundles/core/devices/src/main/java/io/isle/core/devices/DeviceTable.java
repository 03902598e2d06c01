package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The devices of the model, and what is published of them. Belongs to the registry's thread. */
final class DeviceTable {
  private final TreeMap<DeviceName, Device> devices = new TreeMap<>(DeviceName.ORDER);
  private final Map<String, DriverInfo> seen = new HashMap<>();
  private final Set<String> bound = new HashSet<>();
  private final Consumer<DeviceEvent> events;

  DeviceTable(Consumer<DeviceEvent> events) {
    this.events = events;
  }

  void bound(DriverInfo driver) {
    seen.put(driver.name(), driver);
    bound.add(driver.name());
  }

  void unbound(String driver) {
    bound.remove(driver);
  }

  /** The device of that name, made if there is none. */
  Device make(DeviceName name) {
    return devices.computeIfAbsent(name, Device::new);
  }

  Optional<Device> find(DeviceName name) {
    return Optional.ofNullable(devices.get(name));
  }

  /** The devices of a driver, by number. */
  List<Device> of(String driver) {
    return devices.values().stream().filter(d -> d.name.driver().equals(driver)).toList();
  }

  /**
   * The device of that id.
   *
   * @throws DeviceException ENOENT, naming the devices that there are
   */
  Device device(String id) {
    return devices.values().stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(id));
  }

  void remove(Device device) {
    devices.remove(device.name);
    device.node.ifPresent(node -> events.accept(new DeviceEvent.Removed(node)));
  }

  /** Tells what is new of a device, if anything is. */
  void publish(Device device) {
    if (devices.get(device.name) != device) {
      return;
    }
    String driver = device.name.driver();
    DriverInfo info = seen.get(driver);
    DeviceNode node =
        Nodes.node(
            device,
            info == null ? "" : Nodes.clean(info.version()),
            bound.contains(driver),
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

  Snapshot snapshot() {
    List<DeviceNode> nodes = new ArrayList<>();
    Map<String, Map<String, String>> settings = new HashMap<>();
    for (Device device : devices.values()) {
      device.node.ifPresent(nodes::add);
      settings.put(device.id(), settings(device));
    }
    return Snapshot.of(nodes, settings);
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
    Optional<DeviceSpec> spec = device.inForce();
    if (spec.isPresent()) {
      all.put(SettingsCheck.TIER, Integer.toString(spec.get().tier()));
      all.put(SettingsCheck.ENABLED, Boolean.toString(spec.get().enabled()));
      all.putAll(new TreeMap<>(spec.get().settings()));
    } else {
      all.putAll(new TreeMap<>(device.raw()));
    }
    return all;
  }

  private DeviceException unknown(String id) {
    String shown = Nodes.clean(id);
    return new DeviceException(
        Errno.ENOENT,
        "no device "
            + shown
            + (devices.isEmpty() ? "; this node has no devices" : "; the devices are " + ids()));
  }

  private String ids() {
    return String.join(", ", devices.values().stream().map(Device::id).toList());
  }
}
