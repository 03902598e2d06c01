package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says what became of devices after a change; a failed one makes the command fail. */
final class Outcome {
  private Outcome() {}

  static void print(Services services, Output output, List<String> ids) {
    List<DeviceNode> nodes =
        services.with(
            DeviceTree.class,
            tree -> ids.stream().map(tree::find).flatMap(Optional::stream).toList());
    Stream<DeviceNode> failed = nodes.stream().filter(node -> node.state() == DeviceState.FAILED);
    failed
        .findFirst()
        .ifPresent(
            node -> {
              throw ShellException.failed(node.id() + " failed: " + node.error());
            });
    Table<DeviceNode> table =
        new Table<DeviceNode>("No devices.")
            .column("id", DeviceNode::id)
            .column("tier", DeviceNode::tier)
            .column("state", node -> node.state().text())
            .column("epoch", DeviceNode::epoch);
    output.table(table, nodes);
  }
}
