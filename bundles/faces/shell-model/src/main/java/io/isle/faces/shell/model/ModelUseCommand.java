package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;

/** Changes the use of a model by all groups, or by one, and shows the decision afterwards. */
abstract class ModelUseCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  @Option(name = "--group", description = "Only for this group of tenants")
  @Completion(DecidingGroupCompleter.class)
  private String group = "";

  /**
   * Makes the change.
   *
   * @param ofGroup empty for all groups
   */
  abstract void change(Models models, String decision, String ofGroup);

  @Override
  protected final void run(Output output) {
    services()
        .with(
            Models.class,
            models -> {
              change(models, name, group);
              return name;
            });
    output.table(SlotRows.list(), SlotRows.named(services(), name));
  }

  /** For tests. */
  final ModelUseCommand of(String decision, String ofGroup) {
    name = decision;
    group = ofGroup;
    return this;
  }
}
