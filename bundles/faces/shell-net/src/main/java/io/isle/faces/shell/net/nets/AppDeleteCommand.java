package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:app-delete}. */
@Service
@Command(scope = "net", name = "app-delete", description = "Removes an app with its file")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class AppDeleteCommand extends IsleCommand {
  @Argument(name = "app", description = "Name of the app", required = true)
  @Completion(AppCompleter.class)
  private String app;

  @Override
  protected void run(Output output) {
    boolean deleted = services().with(NetAdmin.class, admin -> admin.removeApp(app));
    if (!deleted) {
      throw ShellException.failed("no app '" + app + "'; see net:apps");
    }
    output.table(
        new Table<String>("").column("app", name -> name).column("state", any -> "deleted"),
        List.of(app));
  }

  /** For tests. */
  AppDeleteCommand of(String name) {
    app = name;
    return this;
  }
}
