package io.isle.faces.shell.model;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:list}. */
@Service
@Command(
    scope = "model",
    name = "list",
    description = "Lists decisions and the models that serve them: state, accuracy, time")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision; all if left out")
  @Completion(ModelCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    output.table(SlotRows.list(), SlotRows.named(services(), name));
  }

  /** For tests. */
  ListCommand of(String decision) {
    name = decision;
    return this;
  }
}
