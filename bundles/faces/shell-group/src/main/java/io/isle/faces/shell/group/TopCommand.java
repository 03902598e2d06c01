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
        "Shows what groups get, each with those below it, again and again: promise, device time,"
            + " submissions, memory; ends with q or Ctrl-C")
@RequiredRole(Role.VIEWER)
public final class TopCommand extends SamplingCommand<TopReading, TopRow> {
  public TopCommand() {
    super(TopReading::of, TopRow::between, TopRow.table());
  }
}
