package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:switch}. */
@Service
@Command(
    scope = "ring",
    name = "switch",
    description =
        "Moves links to another transport while packets travel: all links of a ring, or the link"
            + " from a node to its next node; waits up to 5 seconds until the links are up")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators make, change and connect nodes.")
public final class SwitchCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a ring or of a node", required = true)
  @Completion(RingCompleter.class)
  private String name;

  @Option(
      name = "--transport",
      description = "How packets travel: tcp, udp or shm, as installed",
      required = true)
  @Completion(TransportCompleter.class)
  private String transport;

  @Override
  protected void run(Output output) {
    List<String> names = Running.changed(services(), this::move);
    if (names.isEmpty()) {
      throw ShellException.failed(name + " uses " + transport + " already");
    }
    List<RingNodeInfo> changed = Running.await(services(), names);
    output.table(NodeRows.list(), changed);
    Running.check(changed, name + " is set to " + transport);
  }

  private List<String> move(RingAdmin admin) {
    try {
      return admin.move(name, transport);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted(
          "the wait was interrupted; the links go on moving, see ring:status");
    }
  }

  /** For tests. */
  SwitchCommand of(String wanted, String by) {
    name = wanted;
    transport = by;
    return this;
  }
}
