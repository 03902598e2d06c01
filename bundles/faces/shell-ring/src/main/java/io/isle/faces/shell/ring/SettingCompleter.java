package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.faces.shell.OsgiServices;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;

/** Completes the key of {@code KEY=VALUE}; the value follows without a blank. */
@Service
public final class SettingCompleter implements Completer {
  private Services services = new OsgiServices(SettingCompleter.class);

  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    String argument = line.getCursorArgument();
    String begun = argument == null ? "" : argument.substring(0, line.getArgumentPosition());
    services
        .ifThere(RingAdmin.class, RingAdmin::keys)
        .orElse(List.of())
        .forEach(
            key -> {
              if ((key + "=").startsWith(begun)) {
                candidates.add(key + "=");
              }
            });
    return candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition();
  }

  /** For tests: other services. */
  SettingCompleter using(Services with) {
    services = with;
    return this;
  }
}
