package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;

/** Runs a step with one input, or with none. Used by the stream's thread. */
final class PlainStep {
  private final StepRun run;
  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;

  PlainStep(StepRun run) {
    this.run = run;
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
  }

  void run(StepPacing pacing) throws InterruptedException {
    Arguments arguments = run.arguments();
    Shape shape = Shape.of(step, arguments.scalars());
    check(arguments, shape);
    ResultSink sink = new ResultSink(shape, step, env.jobId(), env.observer());
    run.add(sink);
    if (step.in().isPresent()) {
      new StreamingStep(env, stream, plan(arguments, shape, sink), run.clock())
          .run(pacing, step.repeat() == JobSpec.Step.UNTIL_FAULTS);
    } else if (step.pace().periodNs() > 0) {
      new PeriodicStep(run, arguments).run(pacing);
    } else if (step.pace().depth() > 1) {
      new QueuedStep(run, arguments).run(pacing);
    } else {
      pacing.begin();
      pacing.filled();
      for (int pass = 0; pass == 0 || pacing.again(pass); pass++) {
        once(arguments);
      }
      pacing.over();
    }
    sink.finish();
  }

  private StreamPlan plan(Arguments arguments, Shape shape, ResultSink sink) {
    Layout layout = Layout.of(shape);
    Input first = Input.of(step.in().orElseThrow());
    return new StreamPlan(
        step,
        run.source(),
        layout,
        List.of(0, 1),
        arguments,
        Residents.NONE,
        new StreamPlan.OneInput(step.in().orElseThrow(), first),
        first.size() < 0 ? -1 : shape.units(first.size()),
        first.size(),
        chunk -> shape.blocks(chunk.length()),
        List.of(sink),
        Extents.none(),
        step.verify() ? Optional.of(verifying(Reference.of(step, shape))) : Optional.empty());
  }

  private String name() {
    return "program " + step.program().code().text();
  }

  private PieceCheck verifying(Reference reference) {
    return (lane, chunk, found) -> {
      try (Arena arena = Arena.ofConfined()) {
        env.measures().wrong.add(reference.wrong(chunk.data(0, arena), found));
      }
    };
  }

  private void check(Arguments arguments, Shape shape) {
    if (arguments.buffers() == 0 && (step.in().isPresent() || step.out().isPresent())) {
      throw step.where().error(name() + " takes neither 'in' nor 'out'");
    }
    if (arguments.buffers() > 0 && step.in().isEmpty()) {
      throw step.where().error(name() + " needs 'in'");
    }
    if (step.verify() && step.in().isEmpty()) {
      throw step.where().error(name() + " has no results to 'verify'");
    }
    if (step.out().isPresent() && step.out().get().lines() && !ResultSink.canLine(shape)) {
      throw step.out()
          .get()
          .where()
          .error(
              "the results of "
                  + step.program().code().text()
                  + " are no records; use format: raw");
    }
    if (step.runsAgain() && step.in().isPresent() && !Input.of(step.in().get()).isRegular()) {
      throw step.where().error("a step that is repeated needs a regular file as 'in'");
    }
  }

  /** One submission of a program without buffers, again as often as the device is recovered. */
  private void once(Arguments arguments) throws InterruptedException {
    RetryPolicy.insist(env, stream, step, policy -> submit(arguments, policy));
    env.measures().finished(0, 1);
    run.clock().finished(0);
  }

  private int submit(Arguments arguments, RetryPolicy policy) throws InterruptedException {
    Program program = stream.load(run.source());
    int epoch = stream.epoch();
    long point =
        stream.submit(
            writer -> {
              CommandWriter ignored = writer.dispatch(program, arguments.entry(), 1, 1, 1);
              arguments.write(writer, new int[0], Extents.none());
            });
    if (point < 0) {
      return (int) point;
    }
    int status = stream.context().await(point, -1);
    if (status != 0) {
      policy.interrupted(epoch);
    }
    return status;
  }
}
