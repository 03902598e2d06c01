package io.isle.faces.shell.job;

import io.isle.api.jobs.Jobs;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code job:cancel}. */
@Service
@Command(
    scope = "job",
    name = "cancel",
    description = "Cancels a running job; outputs that are not complete are deleted")
@RequiredRole(value = Role.MANAGER, reason = "Viewers may not stop jobs.")
public final class CancelCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the job; job:list shows the ids", required = true)
  @Completion(JobCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    if (!services().with(Jobs.class, jobs -> jobs.cancel(id))) {
      throw ShellException.failed("job " + id + " has ended already; see job:show " + id);
    }
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("id", id);
      document.put("cancelled", true);
      output.document(document);
    } else {
      output.line("Job " + id + " is being cancelled; see job:show " + id + ".");
    }
  }

  /** For tests. */
  CancelCommand of(String job) {
    id = job;
    return this;
  }
}
