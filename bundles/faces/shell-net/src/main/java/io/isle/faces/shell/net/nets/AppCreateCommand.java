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

/** {@code net:app-create}. */
@Service
@Command(
    scope = "net",
    name = "app-create",
    description = "Makes an app that takes frames of nets: writes its settings file")
@RequiredRole(
    value = Role.ADMIN,
    reason = "Only administrators make, change and reload nets and apps.")
public final class AppCreateCommand extends IsleCommand {
  @Argument(name = "app", description = "Name of the app", required = true)
  private String app;

  @Argument(
      index = 1,
      name = "settings",
      description = "Settings KEY=VALUE; docs/reference/settings.md describes the keys",
      multiValued = true)
  @Completion(AppSettingCompleter.class)
  private List<String> settings;

  @Override
  protected void run(Output output) {
    output.table(
        NetRows.apps(),
        services()
            .with(
                NetAdmin.class,
                admin -> {
                  admin.createApp(app, new SettingChanges(settings, null).values());
                  return admin.apps().stream().filter(one -> one.name().equals(app)).toList();
                }));
  }

  /** For tests. */
  AppCreateCommand of(String name, String... given) {
    app = name;
    settings = List.of(given);
    return this;
  }
}
