package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.OsgiServices;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.SettingKeys;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;

/** Completes keys of settings of an app, also those of its kind, and kinds. */
@Service
public final class AppSettingCompleter implements Completer {
  private final Services services = new OsgiServices(AppSettingCompleter.class);

  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    String argument = line.getCursorArgument();
    String begun = argument == null ? "" : argument.substring(0, line.getArgumentPosition());
    if (begun.startsWith(AppKeys.KIND)) {
      services
          .ifThere(NetAdmin.class, NetAdmin::kinds)
          .ifPresent(kinds -> kinds.keySet().forEach(kind -> candidates.add(AppKeys.KIND + kind)));
      boolean ignored = candidates.removeIf(one -> !one.startsWith(begun));
      return candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition();
    }
    List<String> arguments = List.of(line.getArguments());
    return SettingKeys.complete(
        services.ifThere(NetAdmin.class, admin -> AppKeys.of(admin, arguments)).orElse(List.of()),
        line,
        candidates);
  }
}
