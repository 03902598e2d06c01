package io.isle.faces.shell.driver;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:list}. */
@Service
@Command(scope = "driver", name = "list", description = "Lists the drivers, refused ones included")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(DriverRows.table(), DriverRows.all(services()));
  }
}
