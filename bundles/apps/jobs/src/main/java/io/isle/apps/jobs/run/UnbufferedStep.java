package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.measure.PeriodicLog;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program without buffers: so many submissions, several of them on their way, of which those
 * that a recovery interrupts are made again; or one in each period, whether the earlier ones are
 * done or not, of which those that do not end well are misses. Used by the stream's thread.
 */
final class UnbufferedStep {
  private final StepRun run;
  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;
  private final int depth;
  private Dispatch dispatch;

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

  UnbufferedStep(StepRun run) {
    this.run = run;
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
    this.depth = Math.max(1, step.pace().depth());
  }

  void run(StepPacing pacing) throws InterruptedException {
    Invocation invocation = run.invocation();
    Shape ignored = Shape.check(step, invocation.arguments());
    dispatch = invocation.at(Extents.none(), 1);
    if (step.pace().periodNs() > 0) {
      periodic(pacing);
      return;
    }
    try (RetryPolicy stepPolicy = new RetryPolicy(env, stream, step)) {
      policy = stepPolicy;
      queued(pacing);
    }
  }

  private void queued(StepPacing pacing) throws InterruptedException {
    pacing.begin();
    boolean more = true;
    int pass = 0;
    while (more || owed > 0 || !sent.isEmpty()) {
      while (sent.size() < depth && (owed > 0 || more)) {
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
      if (sent.size() == depth) {
        pacing.filled();
      }
      if (!sent.isEmpty()) {
        takeOldest();
      }
    }
  }

  private void submit() throws InterruptedException {
    Program program = stream.load(run.source());
    int epoch = stream.epoch();
    long point = stream.submit(writer -> write(writer, program));
    if (point > 0) {
      sent.add(new Sent(point, epoch));
    } else {
      again(point, (int) point, RetryPolicy.NONE);
    }
  }

  private void write(CommandWriter writer, Program program) {
    dispatch.write(writer, program, new int[0]);
  }

  private void takeOldest() throws InterruptedException {
    Sent oldest = sent.remove();
    int status = awaited(oldest.point(), -1);
    if (status != 0) {
      again(oldest.point(), status, oldest.epoch());
      return;
    }
    retries = 0;
    policy.done();
    finished();
  }

  private int awaited(long point, long timeoutNs) throws InterruptedException {
    int status = stream.context().await(point, timeoutNs);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    return status;
  }

  private void finished() {
    done++;
    env.measures().finished(0, 1);
    run.clock().finished(0);
  }

  private void again(long point, int code, int epoch) throws InterruptedException {
    failed(point, code);
    // All that was on its way is interrupted together: that counts once for each place in the
    // queue.
    if (retries++ >= (env.patience().retries() + 1L) * depth - 1) {
      throw Failures.exhausted(env.device(), step.name(), env.patience().retries(), code);
    }
    owed++;
    env.measures().retries.increment();
    if (policy.recover(code, epoch)) {
      owed += sent.size();
      sent.clear();
    }
  }

  private void failed(long point, int code) {
    env.measures().failed.increment();
    if (!Failures.passes(code)) {
      long piece = step.runsAgain() ? done + 1 : 0;
      throw Failures.work(env.device(), step, piece, code, stream.context().error(point));
    }
  }

  private void periodic(StepPacing pacing) throws InterruptedException {
    long periodNs = step.pace().periodNs();
    PeriodicLog log = run.periodic();
    pacing.begin();
    long startNs = pacing.untilNs() - step.pace().forNs();
    long submittedNs = startNs - 1;
    for (long due = startNs; due - pacing.untilNs() < 0; due += periodNs) {
      // A queue without room keeps the submission waiting; a thread that wakes up late does not.
      long released = due;
      if (submittedNs - due < 0) {
        sleepUntil(due);
        released = System.nanoTime();
      }
      release(log, released);
      pacing.filled();
      submittedNs = System.nanoTime();
      takeDone(0);
    }
    pacing.over();
    while (!sent.isEmpty()) {
      takeDone(-1);
    }
  }

  private static void sleepUntil(long due) throws InterruptedException {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  private void release(PeriodicLog log, long released) throws InterruptedException {
    Program program = stream.load(run.source());
    log.submitted();
    long point = stream.submit(writer -> write(writer, program), released);
    if (point > 0) {
      sent.add(new Sent(point, RetryPolicy.NONE));
    } else {
      missed(point, (int) point);
    }
  }

  /** Takes what is done, from the oldest on; waits so long for each. */
  private void takeDone(long timeoutNs) throws InterruptedException {
    while (!sent.isEmpty()) {
      int status = awaited(sent.element().point(), timeoutNs);
      if (status == -Errno.ETIME && timeoutNs >= 0) {
        return;
      }
      long point = sent.remove().point();
      if (status == 0) {
        finished();
      } else {
        missed(point, status);
      }
    }
  }

  private void missed(long point, int code) throws InterruptedException {
    failed(point, code);
    if (stream.recover(code)) {
      sent.clear();
    }
  }
}
