package io.isle.faces.shell.spin.nics;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:list}. */
@Service
@Command(
    scope = "spin",
    name = "list",
    description = "Lists network interfaces: device, ports, state, frames")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Argument(name = "nic", description = "Name of the interface; all if left out")
  @Completion(NicCompleter.class)
  private String nic;

  @Override
  protected void run(Output output) {
    output.table(NicRows.list(), NicRows.infos(services(), nic));
  }

  /** For tests. */
  ListCommand of(String name) {
    nic = name;
    return this;
  }
}
