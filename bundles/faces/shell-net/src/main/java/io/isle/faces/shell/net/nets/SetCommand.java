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
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:set}. */
@Service
@Command(
    scope = "net",
    name = "set",
    description =
        "Changes settings of a net: writes them to its file and applies them; address, flush time,"
            + " checksums and processors change while frames travel, others open the net anew")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class SetCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Argument(
      index = 1,
      name = "settings",
      description = "Settings KEY=VALUE; docs/reference/settings.md describes the keys",
      multiValued = true)
  @Completion(NetSettingCompleter.class)
  private List<String> settings;

  @Option(
      name = "--unset",
      description = "Key that returns to its default; may be given several times",
      multiValued = true)
  @Completion(NetKeyCompleter.class)
  private List<String> unset;

  @Override
  protected void run(Output output) {
    services()
        .with(
            NetAdmin.class,
            admin -> {
              admin.set(
                  net, NetPaths.absolute(new SettingChanges(settings, unset).some(), this::path));
              return net;
            });
    output.table(NetRows.list(), NetRows.named(services(), net));
  }

  /** For tests. */
  SetCommand of(String name, List<String> gone, String... given) {
    net = name;
    unset = gone;
    settings = List.of(given);
    return this;
  }
}
