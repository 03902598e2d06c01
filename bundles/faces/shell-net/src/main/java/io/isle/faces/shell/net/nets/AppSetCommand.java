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

/** {@code net:app-set}. */
@Service
@Command(
    scope = "net",
    name = "app-set",
    description = "Changes settings of an app: writes them to its file and begins the app anew")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class AppSetCommand extends IsleCommand {
  @Argument(name = "app", description = "Name of the app", required = true)
  @Completion(AppCompleter.class)
  private String app;

  @Argument(
      index = 1,
      name = "settings",
      description = "Settings KEY=VALUE; docs/reference/settings.md describes the keys",
      multiValued = true)
  @Completion(AppSettingCompleter.class)
  private List<String> settings;

  @Option(
      name = "--unset",
      description = "Key that returns to its default; may be given several times",
      multiValued = true)
  @Completion(AppKeyCompleter.class)
  private List<String> unset;

  @Override
  protected void run(Output output) {
    output.table(
        NetRows.apps(),
        services()
            .with(
                NetAdmin.class,
                admin -> {
                  admin.setApp(app, new SettingChanges(settings, unset).some());
                  return admin.apps().stream().filter(one -> one.name().equals(app)).toList();
                }));
  }

  /** For tests. */
  AppSetCommand of(String name, List<String> gone, String... given) {
    app = name;
    unset = gone;
    settings = List.of(given);
    return this;
  }
}
