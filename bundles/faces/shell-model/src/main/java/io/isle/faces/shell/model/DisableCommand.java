package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:disable}. */
@Service
@Command(scope = "model", name = "disable", description = "Switches a model off: the rule decides")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class DisableCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  @Option(name = "--group", description = "Only for this group of tenants")
  @Completion(DecidingGroupCompleter.class)
  private String group = "";

  @Override
  protected void run(Output output) {
    services()
        .with(
            Models.class,
            models -> {
              models.disable(name, group);
              return name;
            });
    output.table(SlotRows.list(), SlotRows.named(services(), name));
  }

  /** For tests. */
  DisableCommand of(String decision, String ofGroup) {
    name = decision;
    group = ofGroup;
    return this;
  }
}
