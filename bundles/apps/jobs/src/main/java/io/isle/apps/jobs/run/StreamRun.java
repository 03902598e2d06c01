package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;

/** Runs the steps of one stream, in order, in a context of its own. */
final class StreamRun {
  private final Env env;
  private final JobSpec.Stream stream;
  private final Capability capability;
  private final List<ResultSink> sinks;

  /**
   * @param sinks takes the sinks of the stream, whose outputs the caller commits or drops
   */
  StreamRun(Env env, JobSpec.Stream stream, Capability capability, List<ResultSink> sinks) {
    this.env = env;
    this.stream = stream;
    this.capability = capability;
    this.sinks = sinks;
  }

  void run() throws InterruptedException {
    ContextSpec spec =
        ContextSpec.named(env.jobId() + ":" + stream.name()).withPriority(stream.priority());
    Context context = env.accelerator().open(capability, spec);
    try {
      for (JobSpec.Step step : stream.steps()) {
        step(context, step);
      }
    } finally {
      close(context);
    }
  }

  /** An interrupt must not keep the context from waiting for what is in flight. */
  private static void close(Context context) {
    boolean interrupted = Thread.interrupted();
    try {
      context.close();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void step(Context context, JobSpec.Step step) throws InterruptedException {
    Program program = context.load(new ProgramSource.Builtin(step.program()));
    Arguments arguments = Arguments.of(step, program.entries().getFirst());
    Shape shape = Shape.of(step, arguments.scalars());
    check(step, arguments, shape);
    ResultSink sink = new ResultSink(shape, step, env.jobId(), env.observer());
    synchronized (sinks) {
      sinks.add(sink);
    }
    if (step.in().isPresent()) {
      for (int i = 0; i < step.repeat(); i++) {
        new StreamingStep(env, context, program, arguments, shape, step).run(sink);
      }
    } else {
      for (int i = 0; i < step.repeat(); i++) {
        once(context, program, arguments, step);
      }
    }
    sink.finish();
    program.close();
  }

  private static void check(JobSpec.Step step, Arguments arguments, Shape shape) {
    if (arguments.buffers() == 0 && (step.in().isPresent() || step.out().isPresent())) {
      throw step.where().error("program " + step.program() + " takes neither 'in' nor 'out'");
    }
    if (arguments.buffers() > 0 && step.in().isEmpty()) {
      throw step.where().error("program " + step.program() + " needs 'in'");
    }
    if (step.out().isPresent() && step.out().get().lines() && !ResultSink.canLine(shape)) {
      throw step.out()
          .get()
          .where()
          .error("the results of " + step.program() + " are no records; use format: raw");
    }
    if (step.repeat() > 1 && step.in().isPresent() && !Input.of(step.in().get()).isRegular()) {
      throw step.where().error("a step that is repeated needs a regular file as 'in'");
    }
  }

  private void once(Context context, Program program, Arguments arguments, JobSpec.Step step)
      throws InterruptedException {
    CommandWriter writer = context.writer();
    if (writer != null) {
      writer.dispatch(program, 0, 1, 1, 1);
      arguments.write(writer, -1, -1);
    }
    long point = context.submit(writer);
    int status = point < 0 ? (int) point : context.await(point, -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    if (status != 0) {
      throw Failures.device(env.device(), step.name(), status);
    }
    env.measures().blocks.increment();
  }
}
