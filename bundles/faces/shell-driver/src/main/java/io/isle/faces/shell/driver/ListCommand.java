package io.isle.faces.shell.driver;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:list}. */
@Service
@Command(
    scope = "driver",
    name = "list",
    description = "Lists the drivers, those that were refused too")
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(DriverRows.table(), DriverRows.all(services()));
  }
}
