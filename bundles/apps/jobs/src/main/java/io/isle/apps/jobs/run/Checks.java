package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What can be seen to go wrong before a job begins. */
final class Checks {
  private Checks() {}

  /**
   * Checks rights, inputs and outputs.
   *
   * @throws JobException saying what is missing
   */
  static void check(JobSpec spec, boolean admin) {
    if (!admin && !(spec.setup().isEmpty() && spec.faults().isEmpty())) {
      throw JobException.failed(
          Errno.EACCES,
          "the job " + spec.name() + " has a 'setup' or 'faults' section; only an admin may run it",
          null);
    }
    Set<Path> outputs = new HashSet<>();
    for (JobSpec.Stream stream : spec.streams()) {
      if (stream.priority() == Priority.REALTIME && !admin) {
        throw JobException.failed(
            Errno.EACCES,
            "stream " + stream.name() + ": only an admin may run at realtime priority",
            null);
      }
      for (JobSpec.Step step : stream.steps()) {
        step.in().ifPresent(Input::of);
        Optional<Path> file = step.out().flatMap(JobSpec.Out::file);
        if (file.isPresent()) {
          output(step, file.get(), outputs);
        }
      }
    }
  }

  private static void output(JobSpec.Step step, Path file, Set<Path> outputs) {
    if (!outputs.add(file.normalize())) {
      throw step.out().orElseThrow().where().error("another step writes " + file + ", too");
    }
    try {
      if (step.in().isPresent()
          && Files.isRegularFile(file)
          && Files.isSameFile(step.in().get(), file)) {
        throw step.out()
            .orElseThrow()
            .where()
            .error("the output " + file + " is the step's input; give another name");
      }
    } catch (IOException e) {
      throw JobException.failed(Errno.EIO, "output " + file + ": " + Failures.reason(e), e);
    }
  }
}
