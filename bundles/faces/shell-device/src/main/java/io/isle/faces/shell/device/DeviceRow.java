package io.isle.faces.shell.device;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A device with what tenants take of it. */
record DeviceRow(DeviceNode node, Optional<AcceleratorInfo> use) {
  static List<DeviceRow> all(Services services) {
    List<DeviceNode> nodes = services.with(DeviceTree.class, DeviceTree::nodes);
    Map<String, AcceleratorInfo> uses = new HashMap<>();
    services
        .ifThere(Accelerators.class, Accelerators::list)
        .orElse(List.of())
        .forEach(info -> uses.put(info.id(), info));
    return nodes.stream()
        .map(node -> new DeviceRow(node, Optional.ofNullable(uses.get(node.id()))))
        .toList();
  }

  static DeviceRow find(Services services, String id) {
    List<DeviceRow> all = all(services);
    return all.stream()
        .filter(row -> row.node().id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.failed(
                    "no device "
                        + id
                        + (all.isEmpty()
                            ? "; this node has no devices"
                            : "; the devices are "
                                + String.join(
                                    ", ", all.stream().map(row -> row.node().id()).toList()))));
  }

  /** The columns of device:list, and the first fields of device:info. */
  static Table<DeviceRow> table() {
    return new Table<DeviceRow>(
            "No devices. Devices come from installed drivers and from files"
                + " etc/io.isle.device-ID.cfg.")
        .column("id", row -> row.node().id())
        .column("class", row -> row.node().deviceClass().text())
        .column("driver", row -> row.node().driver())
        .column("tier", row -> row.node().tier())
        .column("state", row -> row.node().state().text())
        .column("parent", row -> row.node().parent().orElse(null))
        .column("memory_bytes", "memory", DeviceRow::memoryBytes, Sizes::bytes)
        .column("memory_used", "used", DeviceRow::memoryUsed, Sizes::bytes)
        .column("compute_units", "units", DeviceRow::computeUnits, String::valueOf)
        .column("contexts", row -> row.use().map(AcceleratorInfo::contexts).orElse(0));
  }

  private long memoryBytes() {
    return number("local-memory-bytes");
  }

  private long memoryUsed() {
    return use.map(AcceleratorInfo::memoryUsedBytes).orElse(0L);
  }

  private long computeUnits() {
    return number("compute-units");
  }

  private long number(String property) {
    return Long.parseLong(node.properties().getOrDefault(property, "0"));
  }
}
