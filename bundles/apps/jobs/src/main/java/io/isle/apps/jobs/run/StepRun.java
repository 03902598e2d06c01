package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A step on its way, with what it runs on.
 *
 * @param ref where it stands in the job
 * @param sinks takes the job's outputs, which the caller commits or drops
 */
record StepRun(
    Env env,
    StreamContext stream,
    JobSpec.Step step,
    Buffers.StepRef ref,
    StepClock clock,
    Results results,
    List<Sink> sinks) {

  void add(Sink sink) {
    synchronized (sinks) {
      sinks.add(sink);
    }
  }

  /** Puts one that goes through another in its place. */
  void replace(Sink inner, Sink outer) {
    synchronized (sinks) {
      sinks.remove(inner);
      sinks.add(outer);
    }
  }

  /** Names of the step's buffers, in the order of the file. */
  List<String> names() {
    Buffers buffers = step.buffers().orElseThrow();
    List<String> names = new ArrayList<>();
    buffers.inputs().forEach(input -> names.add(input.name()));
    buffers.outputs().stream()
        .map(Buffers.Output::name)
        .filter(name -> !names.contains(name))
        .forEach(names::add);
    return names;
  }

  /** Loads the program and checks the arguments against it. */
  Arguments arguments() throws InterruptedException {
    return Arguments.of(step, stream.load(step.program()).entries().getFirst(), names());
  }
}
