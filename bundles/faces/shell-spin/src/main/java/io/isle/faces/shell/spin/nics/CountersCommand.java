package io.isle.faces.shell.spin.nics;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:counters}. */
@Service
@Command(
    scope = "spin",
    name = "counters",
    description = "Shows all counters of contexts, also those of their handlers")
@RequiredRole(Role.VIEWER)
public final class CountersCommand extends IsleCommand {
  @Argument(name = "context", description = "Name of the context; all if left out")
  @Completion(ContextCompleter.class)
  private String context;

  @Override
  protected void run(Output output) {
    output.table(CounterRow.table(), CounterRow.of(ContextRows.named(services(), context)));
  }

  /** For tests. */
  CountersCommand of(String name) {
    context = name;
    return this;
  }
}
