package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.kernel.Arguments;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.measure.PeriodicLog;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A step on its way, with what it runs on.
 *
 * @param ref where it stands in the job
 * @param logs makes the log of a step with a period
 */
record StepRun(
    Env env,
    StreamContext stream,
    JobSpec.Step step,
    Buffers.StepRef ref,
    StepClock clock,
    Supplier<PeriodicLog> logs) {

  /** A log that hears of the step's submissions, which keep to a period. */
  PeriodicLog periodic() {
    PeriodicLog log = logs.get();
    clock.listener(log);
    return log;
  }

  /** Loads the program and checks the step's arguments and work-group against it. */
  Invocation invocation() throws InterruptedException {
    List<String> names = step.buffers().named() ? step.buffers().names() : List.of();
    Invocation invocation =
        load(step.program(), loaded -> Invocation.of(step.program(), loaded, names));
    if (step.program().isKernel()) {
      checkWritten(invocation.arguments(), names);
    }
    return invocation;
  }

  /** An output that the kernel cannot write would be zeros, whatever the kernel computes. */
  private void checkWritten(Arguments arguments, List<String> names) {
    for (Buffers.Output output : step.buffers().outputs()) {
      boolean begun =
          output.initial().isPresent() || step.buffers().input(output.name()).isPresent();
      if (!begun && !arguments.mayWrite(names.indexOf(output.name()))) {
        throw output
            .where()
            .failure(
                Errno.EINVAL,
                "the kernel cannot write this output, because the kernel's argument is const; list"
                    + " all arguments under 'args' in the order of the kernel, or give the output"
                    + " an 'initial'");
      }
    }
  }

  /** Loads a program of the step and looks at it; its errors name it. */
  <T> T load(StepProgram program, Function<Program, T> use) throws InterruptedException {
    long begun = System.nanoTime();
    try {
      Program loaded = stream.load(env.programs().source(program.code()));
      clock.built(begun, System.nanoTime());
      return use.apply(loaded);
    } catch (AccelException e) {
      if (!program.isKernel()) {
        throw e;
      }
      throw program.where().failure(e.code(), program.code().text() + ": " + e.getMessage());
    }
  }

  /** What earlier steps made and no later one reads gives its memory back. */
  void releaseRead() {
    for (Buffers.Input input : step.buffers().inputs()) {
      if (input.source() instanceof Buffers.Source.OfStep source) {
        Results.Made made = env.results().get(source);
        if (made.stream() == stream && env.results().taken(source) == 0) {
          made.resident().release();
        }
      }
    }
  }

  /** Where the step's program comes from. */
  ProgramSource source() {
    return env.programs().source(step.program().code());
  }
}
