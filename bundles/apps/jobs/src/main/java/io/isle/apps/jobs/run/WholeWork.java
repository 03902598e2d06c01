package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * A step whose buffers are on the device as a whole: one submission, done again as often as the
 * device is recovered. What it makes may stay on the device for later steps; when a crash takes it,
 * the step computes it again. Used by the stream's thread.
 */
final class WholeWork {
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
  WholeWork(StepRun run, Dispatch dispatch, KernelAccess access, List<Part> parts) {
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
    this.source = run.source();
    this.clock = run.clock();
    this.dispatch = dispatch;
    this.access = access;
    this.parts = List.copyOf(parts);
  }

  /** Computes; what the outputs hold is on the device then. */
  void compute() throws InterruptedException {
    RetryPolicy.insist(env, stream, step, this::attempt);
  }

  /** Copies a buffer to the JVM's memory, computed again when it was lost meanwhile. */
  HostArray download(Part part, Arena arena) throws InterruptedException {
    long bytes = part.resident().bytes();
    HostArray array = new HostArray(part.type(), part.shape(), arena.allocate(bytes, Long.BYTES));
    RetryPolicy.insist(
        env,
        stream,
        step,
        policy -> {
          int code = stream.settle();
          code = code == 0 ? part.resident().ensure(stream) : code;
          int before = stream.epoch();
          code = code == 0 ? part.resident().download(array.bytes(), clock) : code;
          return code == 0 && stream.epoch() != before ? -Errno.ENODATA : code;
        });
    return array;
  }

  /** Contents that this step makes again when they are lost. */
  Resident.Contents again() {
    return to -> {
      compute();
      releaseInputs();
      to.markFilled();
      return 0;
    };
  }

  /** Gives device memory back that only this step needs. */
  void releaseInputs() {
    for (Part part : parts) {
      for (Resident resident : part.own()) {
        if (!(part.isOutput() && resident == part.resident())) {
          resident.release();
        }
      }
    }
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
