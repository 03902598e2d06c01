package io.isle.faces.shell.group;

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

/** {@code group:set}. */
@Service
@Command(
    scope = "group",
    name = "set",
    description =
        "Changes settings of a group, all or none: writes the settings to the group's file and"
            + " applies them at once")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators divide devices among groups.")
public final class SetCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the group", required = true)
  @Completion(GroupCompleter.class)
  private String name;

  @Argument(
      index = 1,
      name = "settings",
      description =
          "Settings KEY=VALUE, in quotes if a value has blanks; devices= allows no device;"
              + " group:show lists the keys",
      multiValued = true)
  @Completion(SettingCompleter.class)
  private List<String> settings;

  @Option(
      name = "--unset",
      description =
          "Key to remove, so that the group inherits the parent's value; may be given several"
              + " times",
      multiValued = true)
  @Completion(KeyCompleter.class)
  private List<String> unset;

  @Override
  protected void run(Output output) {
    Map<String, String> changes = Settings.parse(settings, unset);
    if (changes.isEmpty()) {
      throw ShellException.usage("nothing to set: KEY=VALUE or --unset KEY is needed");
    }
    services().with(Groups.class, groups -> groups.set(name, changes));
    GroupRow.print(services(), output, name);
  }

  /** For tests. */
  SetCommand of(String group, List<String> gone, String... wanted) {
    name = group;
    unset = gone;
    settings = List.of(wanted);
    return this;
  }
}
