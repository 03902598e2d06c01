package io.isle.faces.shell.device;

import io.isle.api.device.DeviceAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:reset}. */
@Service
@Command(
    scope = "device",
    name = "reset",
    description = "Resets a device: work in flight is interrupted, contexts survive")
@RequiredRole(value = Role.ADMIN, reason = "A reset interrupts the device's work.")
public final class ResetCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    Action.run(services(), output, id, DeviceAdmin::reset);
  }

  /** For tests. */
  ResetCommand of(String device) {
    id = device;
    return this;
  }
}
