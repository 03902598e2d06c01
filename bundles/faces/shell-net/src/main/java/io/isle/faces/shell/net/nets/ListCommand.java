package io.isle.faces.shell.net.nets;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:list}. */
@Service
@Command(scope = "net", name = "list", description = "Lists nets: interface, state, ports, frames")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net; all if left out")
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    output.table(NetRows.list(), NetRows.named(services(), net));
  }

  /** For tests. */
  ListCommand of(String name) {
    net = name;
    return this;
  }
}
