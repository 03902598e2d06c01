package io.isle.faces.shell.job;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.Jobs;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.time.Instant;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code job:show}. */
@Service
@Command(
    scope = "job",
    name = "show",
    description = "Shows the result of a job, or the progress of a running job")
@RequiredRole(Role.VIEWER)
public final class ShowCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the job; job:list shows the ids", required = true)
  @Completion(JobCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    JobInfo job =
        services()
            .with(Jobs.class, jobs -> jobs.find(id))
            .orElseThrow(() -> ShellException.failed("unknown job " + id + "; see job:list"));
    if (output.json()) {
      output.document(Rows.show(job));
      return;
    }
    field(output, "id", job.id());
    field(output, "state", job.result().state().text());
    field(output, "file", job.file());
    field(output, "user", job.user());
    field(output, "started", Instant.ofEpochMilli(job.startedMs()).toString());
    Summary.lines(job.result()).forEach(line -> output.line(line.substring(2)));
    if (job.result().error() != null) {
      field(output, "error", job.result().error());
    }
  }

  private static void field(Output output, String key, String value) {
    output.line(String.format(Locale.ROOT, "%-8s %s", key, value));
  }

  /** For tests. */
  ShowCommand of(String job) {
    id = job;
    return this;
  }
}
