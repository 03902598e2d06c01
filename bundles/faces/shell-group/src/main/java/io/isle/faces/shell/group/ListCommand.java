package io.isle.faces.shell.group;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code group:list}. */
@Service
@Command(
    scope = "group",
    name = "list",
    description = "Lists the groups, parents first, with their own settings and errors")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(GroupRow.table(), GroupRow.all(services()));
  }
}
