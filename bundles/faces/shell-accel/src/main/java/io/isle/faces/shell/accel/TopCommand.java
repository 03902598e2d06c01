package io.isle.faces.shell.accel;

import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SamplingCommand;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:top}. */
@Service
@Command(
    scope = "accel",
    name = "top",
    description =
        "Shows the load of devices and contexts, refreshed until q or Ctrl-C: queue, busy share,"
            + " wait, memory")
@RequiredRole(Role.VIEWER)
public final class TopCommand extends SamplingCommand<TopReading, TopRow> {
  public TopCommand() {
    super(TopReading::of, TopRow::between, TopRow.table());
  }
}
