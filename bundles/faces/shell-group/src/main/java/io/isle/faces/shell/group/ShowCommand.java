package io.isle.faces.shell.group;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.GroupUsage;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.Usages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code group:show}. */
@Service
@Command(
    scope = "group",
    name = "show",
    description =
        "Shows a group: each setting with the group that sets the value, counters, and use of"
            + " each device")
@RequiredRole(Role.VIEWER)
public final class ShowCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the group", required = true)
  @Completion(GroupCompleter.class)
  private String name;

  /** One moment's view. */
  private record View(
      GroupStatus status,
      GroupTree tree,
      List<GroupKey> keys,
      SequencedMap<String, Long> counters) {}

  @Override
  protected void run(Output output) {
    View view =
        services()
            .with(Groups.class, this::view)
            .orElseThrow(() -> ShellException.failed("no group '" + name + "'; see group:list"));
    Map<String, Object> info =
        new LinkedHashMap<>(GroupRow.table().object(GroupRow.of(view.status(), view.tree())));
    info.put("file", new TreeMap<>(view.status().settings()));
    List<KeyRow> keys = KeyRow.of(view.status(), view.keys());
    List<GroupUsage> usages =
        services().ifThere(AccelAdmin.class, AccelAdmin::groups).orElse(List.of()).stream()
            .filter(row -> row.group().equals(name))
            .toList();
    if (output.json()) {
      info.put("keys", keys.stream().map(KeyRow.table(name)::object).toList());
      info.put("stat", view.counters());
      info.put("usage", usages.stream().map(Usages.groups()::object).toList());
      output.document(info);
      return;
    }
    for (String key : List.of("name", "parent", "state", "children", "error")) {
      output.line(String.format("%-12s%s", key, shown(info.get(key))));
    }
    if (view.status().group().isEmpty() || !view.status().error().isEmpty()) {
      output.line("settings in the file");
      view.status().settings().forEach((key, value) -> output.line("  " + key + " = " + value));
    }
    if (view.status().group().isPresent()) {
      output.line("");
      output.table(KeyRow.table(name), keys);
    }
    if (!view.counters().isEmpty()) {
      output.line("");
      view.counters().forEach((key, value) -> output.line(String.format("%-24s%d", key, value)));
    }
    if (!usages.isEmpty()) {
      output.line("");
      output.table(Usages.groups(), usages);
    }
  }

  private Optional<View> view(Groups groups) {
    GroupTree tree = groups.tree();
    return groups
        .find(name)
        .map(
            status ->
                new View(
                    status,
                    tree,
                    groups.keys(),
                    status.group().isPresent() ? groups.stat(name) : new LinkedHashMap<>()));
  }

  private static String shown(Object value) {
    if (value instanceof List<?> list) {
      return list.isEmpty() ? "-" : String.join(" ", list.stream().map(Object::toString).toList());
    }
    return Table.plain(value);
  }

  /** For tests. */
  ShowCommand of(String group) {
    name = group;
    return this;
  }
}
