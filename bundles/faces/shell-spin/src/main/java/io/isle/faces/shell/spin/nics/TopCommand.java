package io.isle.faces.shell.spin.nics;

import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SamplingCommand;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:top}. */
@Service
@Command(
    scope = "spin",
    name = "top",
    description = "Shows the work of contexts, refreshed until q or Ctrl-C")
@RequiredRole(Role.VIEWER)
public final class TopCommand extends SamplingCommand<TopReading, TopRow> {
  public TopCommand() {
    super(TopReading::of, TopRow::between, TopRow.table());
  }
}
