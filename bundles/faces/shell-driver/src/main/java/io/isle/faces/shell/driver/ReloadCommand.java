package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:reload}. */
@Service
@Command(
    scope = "driver",
    name = "reload",
    description = "Closes and reopens a device, or all enabled devices of a driver")
@RequiredRole(value = Role.ADMIN, reason = "A reload interrupts the work of the driver's devices.")
public final class ReloadCommand extends IsleCommand {
  @Argument(
      name = "device",
      description = "Id of a device, such as soft0, or name of a driver, such as soft",
      required = true)
  @Completion(TargetCompleter.class)
  private String target;

  @Override
  protected void run(Output output) {
    List<String> ids = services().with(DeviceTree.class, this::targets);
    for (String id : ids) {
      services()
          .with(
              DeviceAdmin.class,
              admin -> {
                admin.reload(id);
                return true;
              });
    }
    Outcome.print(services(), output, ids);
  }

  /** For tests. */
  ReloadCommand of(String deviceOrDriver) {
    target = deviceOrDriver;
    return this;
  }

  private List<String> targets(DeviceTree tree) {
    if (tree.find(target).isPresent()) {
      return List.of(target);
    }
    List<DeviceNode> ofDriver =
        tree.nodes().stream().filter(node -> node.driver().equals(target)).toList();
    if (ofDriver.isEmpty()) {
      throw ShellException.failed(
          "no device, and no driver with devices, has the name " + target + "; see device:list");
    }
    return ofDriver.stream()
        .filter(node -> node.state() != DeviceState.DISABLED)
        .map(DeviceNode::id)
        .toList();
  }
}
