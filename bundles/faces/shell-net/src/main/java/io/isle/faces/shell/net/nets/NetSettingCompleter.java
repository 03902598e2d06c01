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

/** Completes keys of settings of a net. */
@Service
public final class NetSettingCompleter implements Completer {
  private final Services services = new OsgiServices(NetSettingCompleter.class);

  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    return SettingKeys.complete(
        services.ifThere(NetAdmin.class, NetAdmin::keys).orElse(List.of()), line, candidates);
  }
}
