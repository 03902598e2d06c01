package io.isle.faces.shell.ring;

import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SettingChanges;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:impair}. */
@Service
@Command(
    scope = "ring",
    name = "impair",
    description =
        "Lists, makes, changes or removes relays that harm the path between two nodes on purpose:"
            + " loss, delay, corruption, cuts, black holes; see docs/impair.md")
@RequiredRole(value = Role.ADMIN, reason = "A relay harms the path between two nodes.")
public final class ImpairCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a relay; all relays if left out")
  @Completion(RelayCompleter.class)
  private String name;

  @Argument(
      index = 1,
      name = "settings",
      description =
          "Settings KEY=VALUE, which make the relay if it does not exist;"
              + " docs/reference/settings.md describes the keys",
      multiValued = true)
  private List<String> settings;

  @Option(
      name = "--unset",
      description = "Key that returns to its default; may be given several times",
      multiValued = true)
  private List<String> unset;

  @Option(name = "--cut", description = "Cut all connections of a relay of streams now")
  private boolean cut;

  @Option(name = "--remove", description = "Remove the relay and its file")
  private boolean remove;

  @Override
  protected void run(Output output) {
    Map<String, String> changes = new SettingChanges(settings, unset).values();
    if (name == null && (cut || remove)) {
      throw ShellException.usage("--cut and --remove need the name of a relay");
    }
    if (remove && (cut || !changes.isEmpty())) {
      throw ShellException.usage("--remove goes with neither --cut nor settings");
    }
    output.table(rows(), services().with(Impairments.class, all -> apply(all, changes)));
  }

  private List<ImpairmentInfo> apply(Impairments all, Map<String, String> changes) {
    if (name == null) {
      return all.relays();
    }
    if (remove) {
      List<ImpairmentInfo> last = List.of(relay(all));
      boolean removed = all.remove(name);
      return removed ? last : List.of();
    }
    if (!changes.isEmpty() && all.find(name).isEmpty()) {
      all.create(
          name,
          changes.entrySet().stream()
              .filter(change -> change.getValue() != null)
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    } else if (!changes.isEmpty()) {
      all.set(name, changes);
    }
    if (cut) {
      all.cut(name);
    }
    return List.of(relay(all));
  }

  private ImpairmentInfo relay(Impairments all) {
    return all.find(name)
        .orElseThrow(
            () ->
                ShellException.failed(
                    "no relay '" + name + "'; ring:impair without a name lists all relays"));
  }

  private static Table<ImpairmentInfo> rows() {
    return new Table<ImpairmentInfo>(
            "No relays; ring:impair NAME fault_injection=true listen=ADDRESS to=ADDRESS makes one.")
        .column("relay", ImpairmentInfo::name)
        .whole()
        .column("state", relay -> relay.up() ? "up" : "down")
        .column("listen", "listen", ImpairmentInfo::listen, Table::plain)
        .column("to", "to", ImpairmentInfo::to, Table::plain)
        .column("connections", ImpairmentInfo::connections)
        .column("passed", ImpairmentInfo::passed)
        .jsonOnly("bytes", ImpairmentInfo::bytes)
        .column("lost", ImpairmentInfo::lost)
        .jsonOnly("duplicated", ImpairmentInfo::duplicated)
        .jsonOnly("reordered", ImpairmentInfo::reordered)
        .column("corrupted", ImpairmentInfo::corrupted)
        .jsonOnly("swallowed", ImpairmentInfo::swallowed)
        .jsonOnly("overflowed", ImpairmentInfo::overflowed)
        .column("cuts", ImpairmentInfo::cuts)
        .column("error", "last error", ImpairmentInfo::reason, Table::plain);
  }

  /** For tests. */
  ImpairCommand of(String relay, String... wanted) {
    name = relay;
    settings = List.of(wanted);
    return this;
  }

  /** For tests. */
  ImpairCommand toRemove() {
    remove = true;
    return this;
  }

  /** For tests. */
  ImpairCommand toCut() {
    cut = true;
    return this;
  }
}
