package io.isle.faces.shell.model;

import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:info}. */
@Service
@Command(
    scope = "model",
    name = "info",
    description = "Shows the models of a decision, their counters and scores, and each group's use")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  /** A field with its value. */
  private record Row(String field, String value) {}

  @Override
  protected void run(Output output) {
    SlotInfo slot = SlotRows.named(services(), name).getFirst();
    Map<String, Object> object = SlotObject.of(slot);
    if (output.json()) {
      output.document(object);
      return;
    }
    List<Row> rows = new ArrayList<>();
    object.forEach((field, value) -> add(rows, field, value));
    output.table(
        new Table<Row>("Nothing is known.")
            .column("field", Row::field)
            .whole()
            .column("value", Row::value),
        rows);
  }

  private static void add(List<Row> rows, String field, Object value) {
    switch (value) {
      case Map<?, ?> map -> map.forEach((key, one) -> add(rows, field + " " + key, one));
      case List<?> list -> list.forEach(one -> add(rows, named(one), one));
      case null -> rows.add(new Row(field, "-"));
      case Double number -> rows.add(new Row(field, SlotRows.thousandths(number)));
      default -> rows.add(new Row(field, value.toString()));
    }
  }

  /** Only groups are in lists. */
  private static String named(Object group) {
    return group instanceof Map<?, ?> map ? "group " + map.get("group") : "group";
  }

  /** For tests. */
  InfoCommand of(String decision) {
    name = decision;
    return this;
  }
}
