package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs a program without buffers, with several submissions on their way. What a recovery interrupts
 * is submitted again. Used by the stream's thread.
 */
final class QueuedStep {
  private final StepRun run;
  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;
  private final Arguments arguments;

  /** Pieces that ended well. */
  private long done;

  private final Deque<Sent> sent = new ArrayDeque<>();

  /** Submissions that are to be made again. */
  private int owed;

  /** Interruptions since the last submission that ended well. */
  private int retries;

  private RetryPolicy policy;

  /** A submission on its way, and the epoch of the device before it was made. */
  private record Sent(long point, int epoch) {}

  QueuedStep(StepRun run, Arguments arguments) {
    this.run = run;
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
    this.arguments = arguments;
  }

  void run(StepPacing pacing) throws InterruptedException {
    try (RetryPolicy stepPolicy = new RetryPolicy(env, stream, step)) {
      policy = stepPolicy;
      pacing.begin();
      boolean more = true;
      int pass = 0;
      while (more || owed > 0 || !sent.isEmpty()) {
        while (sent.size() < step.pace().depth() && (owed > 0 || more)) {
          if (owed > 0) {
            owed--;
            submit();
          } else if (pass == 0 || pacing.again(pass)) {
            pass++;
            submit();
          } else {
            more = false;
            pacing.over();
          }
        }
        if (sent.size() == step.pace().depth()) {
          pacing.filled();
        }
        if (!sent.isEmpty()) {
          takeOldest();
        }
      }
    }
  }

  private void submit() throws InterruptedException {
    Program program = stream.load(run.source());
    int epoch = stream.epoch();
    long point = stream.submit(writer -> write(writer, program, arguments));
    if (point > 0) {
      sent.add(new Sent(point, epoch));
    } else {
      again(point, (int) point, RetryPolicy.NONE);
    }
  }

  static void write(CommandWriter writer, Program program, Arguments arguments) {
    CommandWriter ignored = writer.dispatch(program, arguments.entry(), 1, 1, 1);
    arguments.write(writer, new int[0], Extents.none());
  }

  private void takeOldest() throws InterruptedException {
    Sent oldest = sent.remove();
    int status = stream.context().await(oldest.point(), -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    if (status != 0) {
      again(oldest.point(), status, oldest.epoch());
      return;
    }
    retries = 0;
    policy.done();
    done++;
    env.measures().finished(0, 1);
    run.clock().finished(0);
  }

  private void again(long point, int code, int epoch) throws InterruptedException {
    env.measures().failed.increment();
    if (!Failures.passes(code)) {
      throw Failures.work(env.device(), step, done + 1, code, stream.context().error(point));
    }
    // All that was on its way is interrupted together: that counts once for each place in the
    // queue.
    if (retries++ >= (env.patience().retries() + 1L) * step.pace().depth()) {
      throw Failures.exhausted(env.device(), step.name(), env.patience().retries(), code);
    }
    owed++;
    env.measures().retries.increment();
    if (policy.recover(code, epoch)) {
      owed += sent.size();
      sent.clear();
    }
  }
}
