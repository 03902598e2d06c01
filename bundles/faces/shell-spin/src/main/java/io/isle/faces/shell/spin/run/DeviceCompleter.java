package io.isle.faces.shell.spin.run;

import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes ids of devices that take handlers. */
@Service
public final class DeviceCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(DeviceTree.class, DeviceTree::nodes).orElse(List.of()).stream()
        .filter(node -> node.services().contains("accel-handlers"))
        .map(DeviceNode::id)
        .toList();
  }
}
