package io.isle.faces.shell.group;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A group as people and programs see it in a list.
 *
 * @param parent null for the root
 * @param state active; or held: it is not in force
 * @param children by name
 * @param settings its own keys in force; of one that is held, those of its file
 * @param notInForce own keys that nobody limits now
 * @param error null if all of its file is in force
 */
record GroupRow(
    String name,
    String parent,
    String state,
    List<String> children,
    SortedMap<String, String> settings,
    List<String> notInForce,
    String error) {
  static GroupRow of(GroupStatus status, GroupTree tree) {
    SortedMap<String, String> file = new TreeMap<>(status.settings());
    String waitsFor = file.remove(GroupSpec.PARENT);
    Group group = status.group().orElse(null);
    return new GroupRow(
        status.name(),
        group != null ? group.parent().orElse(null) : waitsFor == null ? GroupTree.ROOT : waitsFor,
        group != null ? "active" : "held",
        tree.children(status.name()).stream().map(Group::name).toList(),
        group != null ? group.own() : file,
        status.notInForce(),
        status.error().isEmpty() ? null : status.error());
  }

  /** Parents first. */
  static List<GroupRow> all(Services services) {
    return services.with(
        Groups.class,
        groups -> {
          GroupTree tree = groups.tree();
          return groups.list().stream().map(status -> of(status, tree)).toList();
        });
  }

  static Table<GroupRow> table() {
    return new Table<GroupRow>("No groups.")
        .column("name", GroupRow::name)
        .column("parent", GroupRow::parent)
        .column("state", GroupRow::state)
        .column("children", "children", GroupRow::children, GroupRow::count)
        .column("settings", "settings", GroupRow::settings, GroupRow::pairs)
        .column("not_in_force", "not in force", GroupRow::notInForce, GroupRow::words)
        .column("error", GroupRow::error);
  }

  private static String count(Object children) {
    return Integer.toString(((List<?>) children).size());
  }

  private static String pairs(Object settings) {
    StringJoiner text = new StringJoiner("; ").setEmptyValue("-");
    ((Map<?, ?>) settings).forEach((key, value) -> text.add(key + "=" + value));
    return text.toString();
  }

  private static String words(Object list) {
    StringJoiner text = new StringJoiner(" ").setEmptyValue("-");
    ((List<?>) list).forEach(word -> text.add(word.toString()));
    return text.toString();
  }

  /** Says what became of a group that was made or changed. */
  static void print(Services services, Output output, String name) {
    GroupRow row =
        all(services).stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    ShellException.failed(
                        "group " + name + " was deleted by another command meanwhile"));
    if (output.json()) {
      output.document(table().object(row));
    } else {
      output.line(
          name
              + " is in force"
              + (row.notInForce().isEmpty()
                  ? ""
                  : ", but for "
                      + words(row.notInForce())
                      + ", because no running service enforces these settings"));
    }
  }
}
