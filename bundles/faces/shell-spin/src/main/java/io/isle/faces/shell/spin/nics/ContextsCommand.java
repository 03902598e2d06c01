package io.isle.faces.shell.spin.nics;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:contexts}. */
@Service
@Command(
    scope = "spin",
    name = "contexts",
    description = "Lists execution contexts: handlers, rules, state, packets")
@RequiredRole(Role.VIEWER)
public final class ContextsCommand extends IsleCommand {
  @Argument(name = "context", description = "Name of the context; all if left out")
  @Completion(ContextCompleter.class)
  private String context;

  @Override
  protected void run(Output output) {
    output.table(ContextRows.list(), ContextRows.named(services(), context));
  }

  /** For tests. */
  ContextsCommand of(String name) {
    context = name;
    return this;
  }
}
