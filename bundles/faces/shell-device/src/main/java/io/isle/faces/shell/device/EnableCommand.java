package io.isle.faces.shell.device;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:enable}. */
@Service
@Command(
    scope = "device",
    name = "enable",
    description = "Enables a device, also over reloads and restarts")
@RequiredRole(value = Role.MANAGER, reason = "Only managers enable and disable devices.")
public final class EnableCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    Switch.set(services(), output, id, true);
  }

  /** For tests. */
  EnableCommand of(String device) {
    id = device;
    return this;
  }
}
