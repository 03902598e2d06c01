package io.isle.core.devices;

import io.isle.api.device.DeviceNode;
import java.util.List;
import java.util.Map;

/**
 * The tree at one moment. Immutable.
 *
 * @param nodes by driver, then number
 * @param settings of each device, by id
 */
record Snapshot(List<DeviceNode> nodes, Map<String, Map<String, String>> settings) {
  static final Snapshot EMPTY = new Snapshot(List.of(), Map.of());

  static Snapshot of(List<DeviceNode> nodes, Map<String, Map<String, String>> settings) {
    return new Snapshot(List.copyOf(nodes), Map.copyOf(settings));
  }
}
