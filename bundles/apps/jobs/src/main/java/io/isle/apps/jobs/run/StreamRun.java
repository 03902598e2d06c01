package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;

/** Runs the steps of one stream, in order, in a context of its own. */
final class StreamRun {
  private final Env env;
  private final JobSpec.Stream spec;
  private final List<ResultSink> sinks;

  /**
   * @param sinks takes the sinks of the stream, whose outputs the caller commits or drops
   */
  StreamRun(Env env, JobSpec.Stream spec, List<ResultSink> sinks) {
    this.env = env;
    this.spec = spec;
    this.sinks = sinks;
  }

  void run() throws InterruptedException {
    try (StreamContext stream = new StreamContext(env, StreamContext.spec(env.jobId(), spec))) {
      stream.open();
      for (JobSpec.Step step : spec.steps()) {
        step(stream, step);
      }
    }
  }

  private void step(StreamContext stream, JobSpec.Step step) throws InterruptedException {
    Program program = stream.load(step.program());
    Arguments arguments = Arguments.of(step, program.entries().getFirst());
    Shape shape = Shape.of(step, arguments.scalars());
    check(step, arguments, shape);
    ResultSink sink = new ResultSink(shape, step, env.jobId(), env.observer());
    synchronized (sinks) {
      sinks.add(sink);
    }
    if (step.in().isPresent()) {
      new StreamingStep(env, stream, arguments, shape, step)
          .run(pass -> again(step, pass), sink, step.repeat() == JobSpec.Step.UNTIL_FAULTS);
    } else {
      for (int pass = 0; again(step, pass); pass++) {
        once(stream, arguments, step);
      }
    }
    sink.finish();
    stream.unload();
  }

  private boolean again(JobSpec.Step step, int pass) {
    return step.repeat() == JobSpec.Step.UNTIL_FAULTS
        ? pass == 0 || !env.faults().over()
        : pass < step.repeat();
  }

  private static void check(JobSpec.Step step, Arguments arguments, Shape shape) {
    if (arguments.buffers() == 0 && (step.in().isPresent() || step.out().isPresent())) {
      throw step.where().error("program " + step.program() + " takes neither 'in' nor 'out'");
    }
    if (arguments.buffers() > 0 && step.in().isEmpty()) {
      throw step.where().error("program " + step.program() + " needs 'in'");
    }
    if (step.verify() && step.in().isEmpty()) {
      throw step.where().error("program " + step.program() + " has no results to 'verify'");
    }
    if (step.out().isPresent() && step.out().get().lines() && !ResultSink.canLine(shape)) {
      throw step.out()
          .get()
          .where()
          .error("the results of " + step.program() + " are no records; use format: raw");
    }
    if (step.repeat() != 1 && step.in().isPresent() && !Input.of(step.in().get()).isRegular()) {
      throw step.where().error("a step that is repeated needs a regular file as 'in'");
    }
  }

  /** One submission of a program without buffers, again as often as the device is recovered. */
  private void once(StreamContext stream, Arguments arguments, JobSpec.Step step)
      throws InterruptedException {
    for (int retries = 0; ; retries++) {
      int status = submit(stream, arguments);
      if (status == 0) {
        break;
      }
      if (status == -Errno.ECANCELED) {
        throw new InterruptedException("cancelled");
      }
      env.measures().failed.increment();
      if (!Failures.passes(status)) {
        throw Failures.device(env.device(), step.name(), status);
      }
      if (retries >= env.patience().retries()) {
        throw Failures.exhausted(env.device(), step.name(), retries, status);
      }
      env.measures().retries.increment();
      boolean ignored = stream.recover(status);
    }
    env.measures().finished(0, 1);
  }

  private static int submit(StreamContext stream, Arguments arguments) {
    CommandWriter writer = stream.context().writer();
    if (writer != null) {
      writer.dispatch(stream.program(), 0, 1, 1, 1);
      arguments.write(writer, -1, -1);
    }
    long point = stream.context().submit(writer);
    return point < 0 ? (int) point : stream.context().await(point, -1);
  }
}
