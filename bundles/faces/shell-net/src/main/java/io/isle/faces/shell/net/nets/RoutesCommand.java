package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetRoute;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:routes}. */
@Service
@Command(
    scope = "net",
    name = "routes",
    description = "Shows the routes that the tiles of a net use, in the order of look-ups")
@RequiredRole(Role.VIEWER)
public final class RoutesCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    output.table(
        new Table<NetRoute>("No routes: no frame can be sent.")
            .column("table", NetRoute::table)
            .column("destination", NetRoute::destination)
            .whole()
            .column("metric", NetRoute::metric)
            .column("kind", NetRoute::kind)
            .column("interface", route -> orNull(route.interfaceName()))
            .column("gateway", route -> orNull(route.gateway()))
            .column("source", route -> orNull(route.source())),
        services().with(NetAdmin.class, admin -> admin.routes(net)));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** For tests. */
  RoutesCommand of(String name) {
    net = name;
    return this;
  }
}
