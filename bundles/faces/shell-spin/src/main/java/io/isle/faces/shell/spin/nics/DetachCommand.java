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

/** {@code spin:detach}. */
@Service
@Command(
    scope = "spin",
    name = "detach",
    description = "Detaches a context until it is attached again; its packets and memory are lost")
@RequiredRole(value = Role.ADMIN, reason = "The command ends what a tenant has attached.")
public final class DetachCommand extends IsleCommand {
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
                  admin.detach(context);
                  return true;
                });
    output.table(ContextRows.list(), ContextRows.left(services(), context));
  }

  /** For tests. */
  DetachCommand of(String name) {
    context = name;
    return this;
  }
}
