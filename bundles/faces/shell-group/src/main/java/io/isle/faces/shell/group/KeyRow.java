package io.isle.faces.shell.group;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.Group.Value;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupStatus;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * What holds of a key in a group.
 *
 * @param from the group that sets it; null where it is the key's default
 * @param inForce whether somebody is there who limits it
 * @param values what may stand there; null for a key that nobody here knows
 */
record KeyRow(String key, String value, String from, boolean inForce, String values, String help) {
  /** The known keys in their order, then those that the group sets besides. */
  static List<KeyRow> of(GroupStatus status, List<GroupKey> known) {
    List<KeyRow> rows = new ArrayList<>();
    status.group().ifPresent(group -> known.forEach(key -> rows.add(of(group, key))));
    for (String key : status.notInForce()) {
      Value value = status.group().orElseThrow().effective().get(key);
      rows.add(new KeyRow(key, value.text(), value.from(), false, null, null));
    }
    return rows;
  }

  private static KeyRow of(Group group, GroupKey key) {
    Value value = group.effective().get(key.key());
    return value == null
        ? new KeyRow(key.key(), key.defaultValue(), null, true, key.values(), key.help())
        : new KeyRow(key.key(), value.text(), value.from(), true, key.values(), key.help());
  }

  /**
   * The table for people; JSON has the same fields.
   *
   * @param group whose keys they are
   */
  static Table<KeyRow> table(String group) {
    return new Table<KeyRow>(
            "No keys: no running service enforces limits of groups; see bundle:list.")
        .column("key", KeyRow::key)
        .column("value", "value", KeyRow::value, text -> text.equals("") ? "(none)" : "" + text)
        .shownOnly(
            "from", row -> row.from() == null ? "-" : row.from().equals(group) ? "own" : row.from())
        .jsonOnly("from", KeyRow::from)
        .column("in_force", "in force", KeyRow::inForce, held -> held.equals(true) ? "yes" : "no")
        .column("values", "allowed", KeyRow::values, Table::plain)
        .jsonOnly("help", KeyRow::help);
  }
}
