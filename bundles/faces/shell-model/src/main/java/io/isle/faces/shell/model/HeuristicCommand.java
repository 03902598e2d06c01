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

/** {@code model:heuristic}. */
@Service
@Command(
    scope = "model",
    name = "heuristic",
    description = "Lets the rule decide, and scores the model")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class HeuristicCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    services()
        .with(
            Models.class,
            models -> {
              models.heuristic(name);
              return name;
            });
    output.table(SlotRows.list(), SlotRows.named(services(), name));
  }

  /** For tests. */
  HeuristicCommand of(String decision) {
    name = decision;
    return this;
  }
}
