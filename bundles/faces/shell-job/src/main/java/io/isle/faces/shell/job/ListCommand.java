package io.isle.faces.shell.job;

import io.isle.api.jobs.Jobs;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code job:list}. */
@Service
@Command(scope = "job", name = "list", description = "Lists running and earlier jobs")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(Rows.list(), services().with(Jobs.class, Jobs::list));
  }
}
