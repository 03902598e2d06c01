package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.Nic;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:queues}. */
@Service
@Command(
    scope = "spin",
    name = "queues",
    description = "Shows queues of messages that have a message or packets")
@RequiredRole(Role.VIEWER)
public final class QueuesCommand extends IsleCommand {
  @Argument(name = "nic", description = "Name of the interface; all if left out")
  @Completion(NicCompleter.class)
  private String nic;

  @Override
  protected void run(Output output) {
    output.table(NicRows.queues(), NicRows.of(services(), nic, Nic::queues));
  }

  /** For tests. */
  QueuesCommand of(String name) {
    nic = name;
    return this;
  }
}
