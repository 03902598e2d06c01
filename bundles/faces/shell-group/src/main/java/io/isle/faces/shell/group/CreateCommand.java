package io.isle.faces.shell.group;

import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code group:create}. */
@Service
@Command(
    scope = "group",
    name = "create",
    description =
        "Creates a group of tenants: writes the group's file and applies the settings at once")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators divide devices among groups.")
public final class CreateCommand extends IsleCommand {
  @Argument(
      name = "name",
      description = "Name of the group: 1 to 32 small letters, digits and '-'",
      required = true)
  private String name;

  @Argument(
      index = 1,
      name = "settings",
      description =
          "Settings KEY=VALUE, in quotes if a value has blanks; the group inherits the keys that"
              + " are left out; group:show lists the keys",
      multiValued = true)
  @Completion(SettingCompleter.class)
  private List<String> settings;

  @Option(
      name = "--parent",
      description = "Name of the parent group; the root group, default, if left out")
  @Completion(GroupCompleter.class)
  private String parent;

  @Override
  protected void run(Output output) {
    Map<String, String> keys = Settings.parse(settings, null);
    if (parent != null && keys.put(GroupSpec.PARENT, parent) != null) {
      throw ShellException.usage(
          "--parent and " + GroupSpec.PARENT + "= both name the parent; give one of them");
    }
    services().with(Groups.class, groups -> groups.create(name, keys));
    GroupRow.print(services(), output, name);
  }

  /** For tests. */
  CreateCommand of(String group, String under, String... wanted) {
    name = group;
    parent = under;
    settings = List.of(wanted);
    return this;
  }
}
