package io.isle.faces.shell.AREA;

import io.isle.api.AREA.Area;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code AREA:list}. */
@Service
@Command(scope = "AREA", name = "list", description = "Lists the notes, oldest first")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(Notes.table(), services().with(Area.class, Area::notes));
  }
}
