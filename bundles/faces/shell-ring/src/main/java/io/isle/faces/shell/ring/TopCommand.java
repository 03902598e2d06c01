package io.isle.faces.shell.ring;

import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SamplingCommand;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:top}. */
@Service
@Command(
    scope = "ring",
    name = "top",
    description =
        "Shows the traffic of nodes, refreshed until q or Ctrl-C: packets, bytes, lost and repaired"
            + " packets, times of a hop")
@RequiredRole(Role.VIEWER)
public final class TopCommand extends SamplingCommand<TopReading, TopRow> {
  public TopCommand() {
    super(TopReading::of, TopRow::between, TopRow.table());
  }
}
