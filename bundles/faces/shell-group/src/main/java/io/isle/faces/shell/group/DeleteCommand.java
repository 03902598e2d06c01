package io.isle.faces.shell.group;

import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code group:delete}. */
@Service
@Command(
    scope = "group",
    name = "delete",
    description =
        "Deletes a group without child groups: ends the group's work, revokes its capabilities,"
            + " deletes its file")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators divide devices among groups.")
public final class DeleteCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of the group", required = true)
  @Completion(GroupCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    services()
        .with(
            Groups.class,
            groups -> {
              groups.delete(name);
              return name;
            });
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("name", name);
      result.put("state", "gone");
      output.document(result);
    } else {
      output.line("group " + name + " is deleted");
    }
  }

  /** For tests. */
  DeleteCommand of(String group) {
    name = group;
    return this;
  }
}
