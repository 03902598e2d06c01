package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code model:shadow}. */
@Service
@Command(
    scope = "model",
    name = "shadow",
    description = "Proves a model and scores it beside the one that serves")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators say which models decide.")
public final class ShadowCommand extends IsleCommand {
  @Argument(name = "file", description = "File of the model", required = true)
  @Completion(FileCompleter.class)
  private String file;

  @Option(
      name = "--unsigned",
      description = "Accept a file without signatures; allow_unsigned must be true")
  private boolean unsigned;

  @Override
  protected void run(Output output) {
    SlotInfo slot = services().with(Models.class, models -> models.shadow(path(file), unsigned));
    output.table(SlotRows.list(), List.of(slot));
  }

  /** For tests. */
  ShadowCommand of(String name, boolean withoutSignatures) {
    file = name;
    unsigned = withoutSignatures;
    return this;
  }
}
