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

/** {@code device:suspend}. */
@Service
@Command(
    scope = "device",
    name = "suspend",
    description = "Suspends a device: work in flight ends, pending work waits for device:resume")
@RequiredRole(value = Role.ADMIN, reason = "Work waits while the device is suspended.")
public final class SuspendCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    Action.run(services(), output, id, DeviceAdmin::suspend);
  }

  /** For tests. */
  SuspendCommand of(String device) {
    id = device;
    return this;
  }
}
