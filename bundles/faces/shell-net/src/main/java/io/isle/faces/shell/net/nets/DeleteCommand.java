package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetInfo;
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

/** {@code net:delete}. */
@Service
@Command(
    scope = "net",
    name = "delete",
    description = "Removes a net with its file; the kernel gets all frames again")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class DeleteCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    List<NetInfo> last = NetRows.named(services(), net);
    services().with(NetAdmin.class, admin -> admin.remove(net));
    output.table(
        new Table<NetInfo>("Another command has removed " + net + ".")
            .column("net", NetInfo::name)
            .column("interface", NetInfo::interfaceName)
            .column("state", any -> "deleted"),
        last);
  }

  /** For tests. */
  DeleteCommand of(String name) {
    net = name;
    return this;
  }
}
