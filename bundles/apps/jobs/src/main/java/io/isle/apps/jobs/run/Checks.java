package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What can be seen to go wrong before a job begins. */
final class Checks {
  private final JobSpec spec;
  private final StepGraph order;

  /** The step that writes each file. */
  private final Map<Path, Buffers.StepRef> writers = new HashMap<>();

  /** Files that were found to be written so far. */
  private final Set<Path> written = new HashSet<>();

  private Checks(JobSpec spec) {
    this.spec = spec;
    this.order = new StepGraph(spec.streams());
  }

  /**
   * Checks rights, inputs and outputs.
   *
   * @throws JobException saying what is missing
   */
  static void check(JobSpec spec, boolean admin) {
    if (!admin) {
      rights(spec);
    }
    new Checks(spec).files();
  }

  private static void rights(JobSpec spec) {
    if (!(spec.setup().isEmpty() && spec.faults().isEmpty())) {
      throw JobException.failed(
          Errno.EACCES,
          "the job "
              + spec.name()
              + " has a 'setup' or 'faults' section; only an admin may run this job",
          null);
    }
    for (JobSpec.Stream stream : spec.streams()) {
      if (stream.priority().equals(Optional.of(Priority.REALTIME))) {
        throw JobException.failed(
            Errno.EACCES,
            "stream " + stream.name() + ": only an admin may run at realtime priority",
            null);
      }
    }
  }

  private void files() {
    spec.eachStep(
        (ref, step) ->
            step.outputs().forEach(output -> writers.putIfAbsent(target(output.path()), ref)));
    spec.timeline()
        .ifPresent(
            to ->
                spec.eachStep(
                    (ref, step) ->
                        readsNot(step.inputs(), new JobSpec.FileUse(to.file(), to.where()))));
    spec.timeline().ifPresent(to -> written.add(target(to.file())));
    spec.eachStep(this::files);
  }

  private void files(Buffers.StepRef ref, JobSpec.Step step) {
    for (JobSpec.FileUse input : step.inputs()) {
      // What a program writes has its name only at the end; an action finds it before.
      Buffers.StepRef writer = step.action().isEmpty() ? null : writers.get(target(input.path()));
      if (writer == null || writer.equals(ref)) {
        Input.of(input.path());
      } else if (!order.precedes(writer, ref)) {
        throw input
            .where()
            .error(
                "the step "
                    + ref.text()
                    + " reads "
                    + input.path()
                    + ", which the step "
                    + writer.text()
                    + (order.precedes(ref, writer)
                        ? " writes later; exchange the two steps"
                        : " of another stream writes, perhaps later; add 'after: "
                            + writer.text()
                            + "'"));
      }
    }
    for (JobSpec.FileUse output : step.outputs()) {
      if (!written.add(target(output.path()))) {
        throw output
            .where()
            .error("another step also writes " + output.path() + "; give another name");
      }
      readsNot(step.inputs(), output);
    }
  }

  private static void readsNot(List<JobSpec.FileUse> inputs, JobSpec.FileUse output) {
    for (JobSpec.FileUse input : inputs) {
      if (Files.isRegularFile(output.path()) && isSame(input.path(), output.path())) {
        throw output
            .where()
            .error(
                "the output " + output.path() + " is also an input of the step; give another name");
      }
    }
  }

  private static boolean isSame(Path input, Path output) {
    try {
      return Files.exists(input) && Files.isSameFile(input, output);
    } catch (IOException e) {
      throw failed(output, e);
    }
  }

  /** Where a file is, by whichever of its names. */
  private static Path target(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (Files.exists(file)) {
        return file.toRealPath();
      }
      return folder != null && Files.exists(folder)
          ? folder.toRealPath().resolve(file.getFileName())
          : file.normalize();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static JobException failed(Path file, IOException e) {
    return JobException.failed(Errno.EIO, "file " + file + ": " + Failures.reason(e), e);
  }
}
