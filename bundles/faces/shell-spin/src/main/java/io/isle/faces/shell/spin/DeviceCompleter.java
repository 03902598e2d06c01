package io.isle.faces.shell.spin;

import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes device ids. */
@Service
public final class DeviceCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services
        .ifThere(DeviceTree.class, tree -> tree.nodes().stream().map(DeviceNode::id).toList())
        .orElse(List.of());
  }
}
