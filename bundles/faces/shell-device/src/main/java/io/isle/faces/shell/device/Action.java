package io.isle.faces.shell.device;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Does something to a device and says what became of it. */
final class Action {
  private Action() {}

  static void run(
      Services services, Output output, String id, BiConsumer<DeviceAdmin, String> what) {
    services.with(
        DeviceAdmin.class,
        admin -> {
          what.accept(admin, id);
          return true;
        });
    Optional<DeviceNode> node = services.with(DeviceTree.class, tree -> tree.find(id));
    String state = node.map(found -> found.state().text()).orElse("gone");
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("id", id);
      result.put("state", state);
      result.put("epoch", node.map(DeviceNode::epoch).orElse(null));
      output.document(result);
    } else {
      output.line(id + " is " + state);
    }
  }
}
