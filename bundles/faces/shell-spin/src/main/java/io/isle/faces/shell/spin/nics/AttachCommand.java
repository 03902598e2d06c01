package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.NicAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:attach}. */
@Service
@Command(
    scope = "spin",
    name = "attach",
    description = "Attaches a context of the settings again, or one that is lost")
@RequiredRole(value = Role.ADMIN, reason = "Handlers see packets, and send any frame.")
public final class AttachCommand extends IsleCommand {
  @Argument(name = "context", description = "Name of the context", required = true)
  @Completion(ContextCompleter.class)
  private String context;

  @Override
  protected void run(Output output) {
    boolean ignored =
        services()
            .with(
                NicAdmin.class,
                admin -> {
                  admin.attach(context);
                  return true;
                });
    output.table(ContextRows.list(), ContextRows.named(services(), context));
  }

  /** For tests. */
  AttachCommand of(String name) {
    context = name;
    return this;
  }
}
