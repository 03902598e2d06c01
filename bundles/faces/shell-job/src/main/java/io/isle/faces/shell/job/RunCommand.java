package io.isle.faces.shell.job;

import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.Survival;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code job:run}. */
@Service
@Command(scope = "job", name = "run", description = "Runs a job file to its end")
@RequiredRole(value = Role.MANAGER, reason = "A job reads and writes files as the platform's user.")
public final class RunCommand extends IsleCommand {
  @Argument(
      name = "file",
      description = "Job file; a relative path starts at the caller's directory",
      required = true)
  @Completion(FileCompleter.class)
  private String file;

  @Option(
      name = "--set",
      description = "Value of a parameter of the job, as KEY=VALUE; may be given several times",
      multiValued = true)
  private List<String> set;

  @Option(
      name = "--timeline",
      description =
          "SVG file for a picture of the run: transfers and computing of each step over time")
  @Completion(FileCompleter.class)
  private String timeline;

  @Override
  protected void run(Output output) {
    Caller caller = Caller.of(session());
    Path picture = timeline == null ? null : caller.directory().resolve(path("timeline", timeline));
    RunDisplay display = new RunDisplay(output, System.err, caller.terminal());
    JobResult result;
    try {
      JobRequest request =
          new JobRequest(
              path("job file", file),
              caller.directory(),
              values(set),
              caller.user(),
              caller.admin());
      result = services().with(Jobs.class, jobs -> jobs.run(request, display));
    } catch (JobException e) {
      refused(output, e);
      throw e;
    } finally {
      display.end();
    }
    IOException undrawn = picture == null ? null : draw(picture, result);
    report(output, result);
    if (undrawn != null) {
      throw JobException.failed(
          io.isle.api.base.Errno.EIO,
          "timeline " + picture + " cannot be written: " + undrawn,
          undrawn);
    }
  }

  /** Null when all is well. */
  private static IOException draw(Path file, JobResult result) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.writeString(file, Timeline.of(result));
      } else {
        replace(file, Timeline.of(result));
      }
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** A picture that cannot be written as a whole leaves the old one. */
  private static void replace(Path file, String text) throws IOException {
    Path beside =
        file.resolveSibling(file.getFileName() + ".part-" + ProcessHandle.current().pid());
    try {
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  /** For tests. */
  RunCommand drawing(String file) {
    timeline = file;
    return this;
  }

  /** For tests. */
  RunCommand of(String jobFile, List<String> values) {
    file = jobFile;
    set = values;
    return this;
  }

  private static void report(Output output, JobResult result) {
    if (output.json()) {
      output.document(Rows.result(result));
    } else if (result.state() == JobState.DONE || !result.claims().isEmpty()) {
      Summary.lines(result).forEach(output::line);
    }
    switch (result.exitStatus()) {
      case 0 -> {}
      case ExitStatus.INTERRUPTED -> throw JobException.interrupted(result.error());
      case ExitStatus.USAGE -> throw JobException.usage(0, result.error());
      default -> throw JobException.failed(io.isle.api.base.Errno.EIO, result.error(), null);
    }
  }

  /** A job that never began still gives one document. */
  private static void refused(Output output, JobException e) {
    if (output.json()) {
      output.document(
          Rows.result(
              new JobResult(
                  null,
                  JobState.FAILED,
                  null,
                  0,
                  0,
                  0,
                  0,
                  Survival.CALM,
                  List.of(),
                  Measured.NONE,
                  List.of(),
                  List.of(),
                  e.getMessage(),
                  e.exitStatus())));
    }
  }

  private static Path path(String what, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw JobException.usage(0, what + " '" + text + "' is not a path: " + e.getReason());
    }
  }

  static Map<String, String> values(List<String> pairs) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : pairs == null ? List.<String>of() : pairs) {
      int at = pair.indexOf('=');
      if (at < 1) {
        throw JobException.usage(0, "--set " + pair + ": must be KEY=VALUE");
      }
      if (values.put(pair.substring(0, at), pair.substring(at + 1)) != null) {
        throw JobException.usage(0, "--set " + pair.substring(0, at) + ": is given twice");
      }
    }
    return values;
  }
}
