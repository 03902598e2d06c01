package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:rollback}. */
@Service
@Command(scope = "model", name = "rollback", description = "Lets the previous model serve again")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class RollbackCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    services()
        .with(
            Models.class,
            models -> {
              models.rollback(name);
              return name;
            });
    output.table(SlotRows.list(), SlotRows.named(services(), name));
  }

  /** For tests. */
  RollbackCommand of(String decision) {
    name = decision;
    return this;
  }
}
