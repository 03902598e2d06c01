package io.isle.faces.shell;

import java.util.List;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes ids that are there at the time. */
public abstract class IdCompleter implements Completer {
  private Services services = new OsgiServices(getClass());

  /** The ids; an empty list if the service is away. */
  protected abstract List<String> ids(Services services);

  /** For tests: other services. */
  public final IdCompleter using(Services with) {
    services = with;
    return this;
  }

  @Override
  public final int complete(Session session, CommandLine line, List<String> candidates) {
    return new StringsCompleter(ids(services)).complete(session, line, candidates);
  }
}
