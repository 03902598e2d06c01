package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.faces.shell.OsgiServices;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.SettingKeys;
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
    return SettingKeys.complete(
        services.ifThere(RingAdmin.class, RingAdmin::keys).orElse(List.of()), line, candidates);
  }

  /** For tests: other services. */
  SettingCompleter using(Services with) {
    services = with;
    return this;
  }
}
