package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.ActionCall;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.Located;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    Set<Path> made =
        spec.streams().stream()
            .flatMap(stream -> stream.steps().stream())
            .flatMap(step -> outputs(step).stream())
            .collect(Collectors.toSet());
    Set<Path> outputs = new HashSet<>();
    spec.timeline().ifPresent(to -> output(to.where(), inputs(spec), to.file(), outputs));
    for (JobSpec.Stream stream : spec.streams()) {
      if (stream.priority().equals(Optional.of(Priority.REALTIME)) && !admin) {
        throw JobException.failed(
            Errno.EACCES,
            "stream " + stream.name() + ": only an admin may run at realtime priority",
            null);
      }
      for (JobSpec.Step step : stream.steps()) {
        List<Path> inputs = inputs(step);
        inputs.forEach(Input::of);
        step.out()
            .ifPresent(
                out -> out.file().ifPresent(file -> output(out.where(), inputs, file, outputs)));
        step.action().ifPresent(call -> files(call, made, outputs));
        for (Buffers.Output out : step.buffers().map(Buffers::outputs).orElse(List.of())) {
          out.file().ifPresent(file -> output(out.where(), inputs, file, outputs));
        }
      }
    }
  }

  /** An action may read what an earlier step of the job writes. */
  private static void files(ActionCall call, Set<Path> made, Set<Path> outputs) {
    call.inputs().stream().filter(input -> !made.contains(input)).forEach(Input::of);
    call.outputs().forEach(file -> output(call.where(), call.inputs(), file, outputs));
  }

  private static List<Path> outputs(JobSpec.Step step) {
    List<Path> outputs = new ArrayList<>();
    step.out().flatMap(JobSpec.Out::file).ifPresent(outputs::add);
    step.buffers()
        .ifPresent(
            named -> named.outputs().forEach(output -> output.file().ifPresent(outputs::add)));
    step.action().ifPresent(call -> outputs.addAll(call.outputs()));
    return outputs;
  }

  private static List<Path> inputs(JobSpec spec) {
    return spec.streams().stream()
        .flatMap(stream -> stream.steps().stream())
        .flatMap(
            step ->
                Stream.concat(
                    inputs(step).stream(),
                    step.action().map(ActionCall::inputs).orElse(List.of()).stream()))
        .toList();
  }

  private static List<Path> inputs(JobSpec.Step step) {
    List<Path> inputs = new ArrayList<>();
    step.in().ifPresent(inputs::add);
    step.buffers().ifPresent(named -> inputs.addAll(files(named)));
    return inputs;
  }

  /** What a step with named buffers reads. */
  private static List<Path> files(Buffers buffers) {
    List<Path> files = new ArrayList<>();
    for (Buffers.Input input : buffers.inputs()) {
      if (input.source() instanceof Buffers.Source.OfFile file) {
        files.add(file.path());
      }
    }
    buffers
        .outputs()
        .forEach(output -> output.expect().flatMap(Buffers.Expect::file).ifPresent(files::add));
    return files;
  }

  private static void output(Located where, List<Path> inputs, Path file, Set<Path> outputs) {
    try {
      if (!outputs.add(target(file))) {
        throw where.error("another step writes " + file + ", too");
      }
      for (Path input : inputs) {
        if (Files.isRegularFile(file) && Files.isSameFile(input, file)) {
          throw where.error("the output " + file + " is the step's input; give another name");
        }
      }
    } catch (IOException e) {
      throw JobException.failed(Errno.EIO, "output " + file + ": " + Failures.reason(e), e);
    }
  }

  /** Where it is written, by whichever of its names. */
  private static Path target(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.exists(file)) {
      return file.toRealPath();
    }
    return folder != null && Files.exists(folder)
        ? folder.toRealPath().resolve(file.getFileName())
        : file.normalize();
  }
}
