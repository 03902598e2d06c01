package io.isle.faces.shell.display;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code display:list}. */
@Service
@Command(
    scope = "display",
    name = "list",
    description =
        "Lists the connectors of open devices with a display: screen, mode, power state, flips")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as display0; all if left out")
  @Completion(DeviceCompleter.class)
  private String device;

  @Override
  protected void run(Output output) {
    output.table(
        Rows.connectors(),
        device == null ? Rows.displays(services()) : Rows.of(services(), device));
  }

  /** For tests. */
  ListCommand of(String id) {
    device = id;
    return this;
  }
}
