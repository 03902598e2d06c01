package io.isle.faces.shell.group;

import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SamplingCommand;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code group:top}. */
@Service
@Command(
    scope = "group",
    name = "top",
    description =
        "Shows the use of devices by groups, child groups included, refreshed until q or Ctrl-C:"
            + " guarantee, device time, submissions, memory")
@RequiredRole(Role.VIEWER)
public final class TopCommand extends SamplingCommand<TopReading, TopRow> {
  public TopCommand() {
    super(TopReading::of, TopRow::between, TopRow.table());
  }
}
