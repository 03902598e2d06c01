package io.isle.core.testing;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Devices of a driver {@code sim}, in the states that a test says. Used by one thread. */
public final class FakeDeviceTree implements DeviceTree {
  private final Map<String, DeviceNode> nodes = new TreeMap<>();

  /**
   * @param state empty for a device that is gone
   */
  public DeviceNode put(String id, Optional<DeviceState> state) {
    DeviceNode node =
        new DeviceNode(
            id,
            "sim",
            "1",
            1,
            state.orElse(DeviceState.FAILED),
            "",
            DeviceClass.GPU_COMPUTE,
            Optional.empty(),
            1,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            List.of(),
            List.of());
    if (state.isPresent()) {
      nodes.put(id, node);
    } else {
      nodes.remove(id);
    }
    return node;
  }

  @Override
  public List<DeviceNode> nodes() {
    return List.copyOf(nodes.values());
  }

  @Override
  public Optional<DeviceNode> find(String id) {
    return Optional.ofNullable(nodes.get(id));
  }

  @Override
  public Map<String, String> settings(String id) {
    return Map.of();
  }
}
