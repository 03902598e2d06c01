package io.isle.core.devices;

import io.isle.api.device.DeviceNode;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.api.driver.DeviceSeed;
import java.util.Map;
import java.util.Optional;

/** What the model knows of one device. Belongs to the registry's thread. */
final class Device {
  final DeviceName name;

  /** The probed seed, if the driver found this device. */
  Optional<DeviceSeed> seed = Optional.empty();

  /** What the file says; empty if there is no file. */
  Optional<Map<String, String>> file = Optional.empty();

  /** The newest file contents that passed the check. */
  Optional<Map<String, String>> good = Optional.empty();

  /** Why the newest file contents were refused. */
  String refusal = "";

  /** What the driver's owner was last told, while the driver is bound. */
  Optional<DeviceSpec> applied = Optional.empty();

  /** The driver that it was told to is not the newest version. */
  boolean superseded;

  /** What the driver's owner last said, while the driver is bound. */
  Optional<DeviceReport> report = Optional.empty();

  /** Why the driver's owner could not do what it was told. */
  String failure = "";

  /** Properties of the last time that the device was open. */
  Optional<DeviceInfo> info = Optional.empty();

  int epoch;

  /** The published snapshot. */
  Optional<DeviceNode> node = Optional.empty();

  Device(DeviceName name) {
    this.name = name;
  }

  String id() {
    return name.id();
  }

  Map<String, String> raw() {
    return file.orElse(Map.of());
  }

  DeviceSeed seedOrConfigured() {
    return seed.orElseGet(() -> new DeviceSeed(id(), "", "configured"));
  }

  Optional<Running> running() {
    return report.flatMap(DeviceReport::running);
  }

  /** The settings that it is open with, or else those that its driver's owner was told. */
  Optional<DeviceSpec> inForce() {
    return applied.map(told -> running().map(Running::spec).orElse(told));
  }

  /** What the published snapshot says is wrong. */
  String error() {
    return node.map(DeviceNode::error).filter(text -> !text.isEmpty()).orElse("no reason");
  }
}
