package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.TextPart;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:stdout}. */
@Service
@Command(
    scope = "spin",
    name = "stdout",
    description = "Prints what the handlers of a context have printed")
@RequiredRole(value = Role.MANAGER, reason = "Handlers may print parts of the packets of a tenant.")
public final class StdoutCommand extends IsleCommand {
  private static final long PERIOD_MS = 100;

  @Argument(name = "context", description = "Name of the context", required = true)
  @Completion(ContextCompleter.class)
  private String context;

  @Option(name = "--follow", description = "Go on until Ctrl-C, or the end of the context")
  private boolean follow;

  @Override
  protected void run(Output output) {
    if (follow && output.json()) {
      throw ShellException.usage("--follow does not go with --json");
    }
    TextPart part = text(0);
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("context", context);
      document.put("from", part.from());
      document.put("text", part.text());
      output.document(document);
      return;
    }
    output.stream().print(part.text());
    while (follow && !isOver()) {
      output.stream().flush();
      pause();
      part = text(part.next());
      output.stream().print(part.text());
    }
  }

  private TextPart text(long from) {
    return ContextRows.with(services(), context, one -> one.text(from));
  }

  private boolean isOver() {
    return services().with(NicAdmin.class, admin -> admin.find(context).isEmpty());
  }

  private static void pause() {
    try {
      Thread.sleep(PERIOD_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted");
    }
  }

  /** For tests. */
  StdoutCommand of(String name, boolean on) {
    context = name;
    follow = on;
    return this;
  }
}
