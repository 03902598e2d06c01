package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;

/** One submission, done again as often as the device is recovered. Used by the stream's thread. */
final class OneDispatch implements WholeWork.Computation {
  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;
  private final ProgramSource source;
  private final Dispatch dispatch;
  private final KernelAccess access;
  private final List<Part> parts;
  private final StepClock clock;

  /**
   * @param parts in the order of the step's buffers
   */
  OneDispatch(StepRun run, Dispatch dispatch, KernelAccess access, List<Part> parts) {
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
    this.source = env.programs().source(step.program().code());
    this.clock = run.clock();
    this.dispatch = dispatch;
    this.access = access;
    this.parts = List.copyOf(parts);
  }

  @Override
  public void compute() throws InterruptedException {
    RetryPolicy.insist(env, stream, step, this::attempt);
  }

  @Override
  public void again() throws InterruptedException {
    compute();
  }

  private int attempt(RetryPolicy policy) throws InterruptedException {
    int code = stream.settle();
    if (code != 0) {
      return code;
    }
    int before = stream.epoch();
    Context context = stream.context();
    for (Part part : parts) {
      code = part.bring(stream, clock);
      if (code != 0) {
        return code;
      }
    }
    Program program = stream.load(source);
    if (stream.context() != context) {
      // What was brought first went with the old context.
      return -Errno.EINTR;
    }
    int epoch = stream.epoch();
    long point = stream.submit(writer -> write(writer, program));
    if (point < 0) {
      parts.forEach(Part::failed);
      return (int) point;
    }
    parts.forEach(part -> part.submitted(clock));
    int status = stream.context().await(point, -1);
    if (status != 0) {
      parts.forEach(Part::failed);
      policy.interrupted(epoch);
      return status;
    }
    policy.done();
    for (Part part : parts) {
      if (part.isOutput()) {
        part.resident().markFilled();
      }
    }
    // A recovery in between may have left results of memory that was not there any more.
    return stream.epoch() == before ? 0 : -Errno.ENODATA;
  }

  private void write(CommandWriter writer, Program program) {
    int[] uses = new int[parts.size()];
    int[] origins = new int[parts.size()];
    for (int i = 0; i < uses.length; i++) {
      Part part = parts.get(i);
      uses[i] = part.use(writer, access);
      origins[i] = part.origin() == null ? -1 : part.origin().use(writer, Buffer.READ);
    }
    if (step.replay()) {
      CommandWriter ignored = writer.replayable();
    }
    for (int i = 0; i < uses.length; i++) {
      parts.get(i).begin(writer, uses[i], origins[i]);
    }
    dispatch.write(writer, program, uses);
  }
}
