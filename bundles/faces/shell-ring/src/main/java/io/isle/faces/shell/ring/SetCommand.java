package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SettingChanges;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:set}. */
@Service
@Command(
    scope = "ring",
    name = "set",
    description =
        "Changes settings of a node, all or none: writes the settings to the node's file and"
            + " applies them at once; addresses, networks and times of links keep the node")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators make, change and connect nodes.")
public final class SetCommand extends IsleCommand {
  @Argument(name = "node", description = "Name of the node", required = true)
  @Completion(NodeCompleter.class)
  private String node;

  @Argument(
      index = 1,
      name = "settings",
      description = "Settings KEY=VALUE; docs/reference/settings.md describes the keys",
      multiValued = true)
  @Completion(SettingCompleter.class)
  private List<String> settings;

  @Option(
      name = "--unset",
      description = "Key that returns to its default; may be given several times",
      multiValued = true)
  @Completion(KeyCompleter.class)
  private List<String> unset;

  @Override
  protected void run(Output output) {
    Map<String, String> changes = new SettingChanges(settings, unset).values();
    if (changes.isEmpty()) {
      throw ShellException.usage("nothing to set: KEY=VALUE or --unset KEY is needed");
    }
    services()
        .with(
            RingAdmin.class,
            admin -> {
              admin.set(node, changes);
              return node;
            });
    output.table(NodeRows.list(), NodeRows.named(services(), node));
  }

  /** For tests. */
  SetCommand of(String name, List<String> gone, String... wanted) {
    node = name;
    unset = gone;
    settings = List.of(wanted);
    return this;
  }
}
