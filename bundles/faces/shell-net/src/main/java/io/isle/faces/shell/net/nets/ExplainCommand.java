package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetFinding;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:explain}. */
@Service
@Command(
    scope = "net",
    name = "explain",
    description = "Says in words why frames of a net do not arrive or leave")
@RequiredRole(Role.VIEWER)
public final class ExplainCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    output.table(
        new Table<NetFinding>("Nothing to say.")
            .column("ok", "ok", NetFinding::ok, any -> Boolean.TRUE.equals(any) ? "ok" : "NO")
            .column("subject", NetFinding::subject)
            .whole()
            .column("text", "finding", NetFinding::text, Table::plain),
        services().with(NetAdmin.class, admin -> admin.explain(net)));
  }

  /** For tests. */
  ExplainCommand of(String name) {
    net = name;
    return this;
  }
}
