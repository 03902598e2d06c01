package io.isle.faces.shell.agents;

import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.SamplingCommand;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code agents:list}. */
@Service
@Command(
    scope = "agents",
    name = "list",
    description =
        "Shows agents and their threads, refreshed until q or Ctrl-C: shares of time at work,"
            + " idle and asleep")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends SamplingCommand<AgentsReading, AgentRow> {
  public ListCommand() {
    super(AgentsReading::of, AgentRow::between, AgentRow.table());
  }
}
