package io.isle.faces.shell.device;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Switches a device on or off and says what became of it. */
final class Switch {
  private Switch() {}

  static void set(Services services, Output output, String id, boolean enabled) {
    services.with(
        DeviceAdmin.class,
        admin -> {
          admin.configure(id, Map.of("enabled", Boolean.toString(enabled)));
          return true;
        });
    Optional<DeviceNode> node = services.with(DeviceTree.class, tree -> tree.find(id));
    DeviceState state = node.map(DeviceNode::state).orElse(DeviceState.FAILED);
    if (enabled && state == DeviceState.FAILED) {
      throw ShellException.failed(
          id
              + " is enabled, but failed: "
              + node.map(DeviceNode::error).orElse("the device has been removed"));
    }
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("id", id);
      result.put("state", state.text());
      output.document(result);
    } else {
      output.line(id + " is " + state.text());
    }
  }
}
