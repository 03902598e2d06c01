package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:apps}. */
@Service
@Command(scope = "net", name = "apps", description = "Lists apps: kind, nets, ports, frames")
@RequiredRole(Role.VIEWER)
public final class AppsCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(NetRows.apps(), services().with(NetAdmin.class, NetAdmin::apps));
  }
}
