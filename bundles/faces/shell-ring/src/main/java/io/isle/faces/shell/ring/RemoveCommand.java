package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:remove}. */
@Service
@Command(
    scope = "ring",
    name = "remove",
    description =
        "Removes a node, or all nodes of a ring on this platform: closes their links and endpoints,"
            + " deletes their files")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators make, change and connect nodes.")
public final class RemoveCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a ring or of a node", required = true)
  @Completion(RingCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    List<RingNodeInfo> nodes = NodeRows.named(services(), name);
    List<RingNodeInfo> removed =
        services()
            .with(
                RingAdmin.class,
                admin -> nodes.stream().filter(node -> admin.remove(node.name())).toList());
    output.table(
        new Table<RingNodeInfo>("Another command has removed all nodes of " + name + ".")
            .column("node", RingNodeInfo::name)
            .column("ring", RingNodeInfo::ring)
            .column("state", node -> "removed"),
        removed);
  }

  /** For tests. */
  RemoveCommand of(String wanted) {
    name = wanted;
    return this;
  }
}
