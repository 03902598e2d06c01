package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:reload}. */
@Service
@Command(
    scope = "net",
    name = "reload",
    description =
        "Ends the tiles of a net and opens them anew on the same memory: no frame is lost; reads a file"
            + " again that has ended")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class ReloadCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    services()
        .with(
            NetAdmin.class,
            admin -> {
              admin.reload(net);
              return net;
            });
    output.table(NetRows.list(), NetRows.named(services(), net));
  }

  /** For tests. */
  ReloadCommand of(String name) {
    net = name;
    return this;
  }
}
