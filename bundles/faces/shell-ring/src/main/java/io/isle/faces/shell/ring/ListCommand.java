package io.isle.faces.shell.ring;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:list}. */
@Service
@Command(
    scope = "ring",
    name = "list",
    description = "Lists the nodes of this platform: ring, role, state, layers, addresses")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a ring or of a node; all if left out")
  @Completion(RingCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    output.table(NodeRows.list(), NodeRows.named(services(), name));
  }

  /** For tests. */
  ListCommand of(String wanted) {
    name = wanted;
    return this;
  }
}
