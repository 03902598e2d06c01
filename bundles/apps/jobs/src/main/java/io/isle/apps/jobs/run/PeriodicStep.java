package io.isle.apps.jobs.run;

import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.measure.PeriodicLog;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Submits a program without buffers once in each period, whether the earlier ones are done or not.
 * One that does not end well is a miss, and is not made again. Used by the stream's thread.
 */
final class PeriodicStep {
  private final StepRun run;
  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;
  private final Arguments arguments;

  /** Pieces that ended well. */
  private long done;

  private final Deque<Long> points = new ArrayDeque<>();

  PeriodicStep(StepRun run, Arguments arguments) {
    this.run = run;
    this.env = run.env();
    this.stream = run.stream();
    this.step = run.step();
    this.arguments = arguments;
  }

  void run(StepPacing pacing) throws InterruptedException {
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
      submit(log, released);
      pacing.filled();
      submittedNs = System.nanoTime();
      take(0);
    }
    pacing.over();
    while (!points.isEmpty()) {
      take(-1);
    }
  }

  private static void sleepUntil(long due) throws InterruptedException {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  private void submit(PeriodicLog log, long released) throws InterruptedException {
    Program program = stream.load(run.source());
    log.submitted();
    long point = stream.submit(writer -> QueuedStep.write(writer, program, arguments), released);
    if (point > 0) {
      points.add(point);
    } else {
      failed(point, (int) point);
    }
  }

  /** Takes what is done, from the oldest on; waits so long for each. */
  private void take(long timeoutNs) throws InterruptedException {
    while (!points.isEmpty()) {
      int status = stream.context().await(points.element(), timeoutNs);
      if (status == -Errno.ECANCELED) {
        throw new InterruptedException("cancelled");
      }
      if (status == -Errno.ETIME && timeoutNs >= 0) {
        return;
      }
      long point = points.remove();
      if (status == 0) {
        done++;
        env.measures().finished(0, 1);
        run.clock().finished(0);
      } else {
        failed(point, status);
      }
    }
  }

  private void failed(long point, int code) throws InterruptedException {
    env.measures().failed.increment();
    if (!Failures.passes(code)) {
      throw Failures.work(env.device(), step, done + 1, code, stream.context().error(point));
    }
    if (stream.recover(code)) {
      points.clear();
    }
  }
}
