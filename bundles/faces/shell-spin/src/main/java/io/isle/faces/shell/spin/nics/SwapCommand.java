package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.NicAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.spin.run.HandlerFiles;
import io.isle.faces.shell.spin.run.HandlersCompleter;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:swap}. */
@Service
@Command(
    scope = "spin",
    name = "swap",
    description = "Replaces the handlers of a context; its memory and packets stay")
@RequiredRole(value = Role.ADMIN, reason = "Handlers see packets, and send any frame.")
public final class SwapCommand extends IsleCommand {
  @Argument(name = "context", description = "Name of the context", required = true)
  @Completion(ContextCompleter.class)
  private String context;

  @Argument(
      index = 1,
      name = "handlers",
      description =
          "File in C (.c), image (.spin), or name of the handlers of a bundle; a relative path"
              + " starts at the caller's directory",
      required = true)
  @Completion(HandlersCompleter.class)
  private String handlers;

  @Override
  protected void run(Output output) {
    HandlerSource source = HandlerFiles.source(services(), handlers, null, this::path);
    boolean ignored =
        services()
            .with(
                NicAdmin.class,
                admin -> {
                  admin.swap(context, source);
                  return true;
                });
    output.table(ContextRows.list(), ContextRows.named(services(), context));
  }

  /** For tests. */
  SwapCommand of(String name, String with) {
    context = name;
    handlers = with;
    return this;
  }
}
