package io.isle.faces.shell.AREA;

import io.isle.api.AREA.Area;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code AREA:add}. */
@Service
@Command(scope = "AREA", name = "add", description = "Adds a note and shows the note")
@RequiredRole(value = Role.MANAGER, reason = "A new note can replace an older note.")
public final class AddCommand extends IsleCommand {
  @Argument(
      name = "text",
      description = "Text of the note, in quotes if the text has blanks",
      required = true)
  private String text;

  @Override
  protected void run(Output output) {
    output.table(Notes.table(), services().with(Area.class, a -> List.of(a.add(text))));
  }

  /** For tests. */
  AddCommand of(String note) {
    text = note;
    return this;
  }
}
