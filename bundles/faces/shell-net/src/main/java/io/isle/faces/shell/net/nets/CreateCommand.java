package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SettingChanges;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:create}. */
@Service
@Command(
    scope = "net",
    name = "create",
    description =
        "Makes a net on an interface: writes its settings file; the kernel gets all frames but those to"
            + " ports of apps")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class CreateCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  private String net;

  @Argument(
      index = 1,
      name = "settings",
      description = "Settings KEY=VALUE; docs/reference/settings.md describes the keys",
      multiValued = true)
  @Completion(NetSettingCompleter.class)
  private List<String> settings;

  @Override
  protected void run(Output output) {
    services()
        .with(
            NetAdmin.class,
            admin -> {
              admin.create(
                  net, NetPaths.absolute(new SettingChanges(settings, null).values(), this::path));
              return net;
            });
    output.table(NetRows.list(), NetRows.named(services(), net));
  }

  /** For tests. */
  CreateCommand of(String name, String... given) {
    net = name;
    settings = List.of(given);
    return this;
  }
}
