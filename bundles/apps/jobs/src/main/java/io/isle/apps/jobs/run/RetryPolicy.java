package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.apps.jobs.fault.Recoveries;
import io.isle.apps.jobs.platform.CrashBlame;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.Optional;

/**
 * The retries of a step's work. Work that a recovery interrupts is done again; but when the driver
 * ended by itself several times under it, and nothing of the step was done between, its program is
 * to blame. Used by the stream's thread.
 */
final class RetryPolicy implements AutoCloseable {
  /** The epoch of work that was not submitted. */
  static final int NONE = -1;

  /** One end or another may be somebody else's doing. */
  private static final int MOST = 3;

  private final Env env;
  private final StreamContext stream;
  private final JobSpec.Step step;
  private CrashBlame.Turn turn = CrashBlame.Turn.NONE;
  private int ends;

  /** Epoch that counts already: all work of an epoch is one try. */
  private int counted = NONE;

  private int interrupted = NONE;

  /** Tries since the work got further. */
  private int retries;

  /** Of the work that failed; 0 for the newest. */
  private long failedPoint;

  /** Before the work that the next recovery interrupts was submitted. */
  private Recoveries.Moment since;

  RetryPolicy(Env env, StreamContext stream, JobSpec.Step step) {
    this.env = env;
    this.stream = stream;
    this.step = step;
    this.since = Recoveries.Moment.begin(env.device());
  }

  /** Something that a recovery may interrupt. */
  @FunctionalInterface
  interface Work {
    /** Does it; returns 0 or a negated code. */
    int run(RetryPolicy policy) throws InterruptedException;
  }

  /** Does a piece of work, as often as it takes and the job allows. */
  static void insist(Env env, StreamContext stream, JobSpec.Step step, Work work)
      throws InterruptedException {
    try (RetryPolicy policy = new RetryPolicy(env, stream, step)) {
      policy.insist(work);
    }
  }

  private void insist(Work work) throws InterruptedException {
    for (; ; retries++) {
      interrupted = NONE;
      failedPoint = 0;
      int status = work.run(this);
      if (status == 0) {
        return;
      }
      if (status == -Errno.ECANCELED) {
        throw new InterruptedException("cancelled");
      }
      env.measures().failed.increment();
      if (!Failures.passes(status)) {
        throw Failures.work(env.device(), step, 0, status, stream.error(failedPoint));
      }
      if (retries >= env.patience().retries()) {
        throw Failures.exhausted(env.device(), step.name(), retries, status);
      }
      boolean ignored = recover(status, interrupted);
      env.measures().retries.increment();
    }
  }

  /** The work was submitted in that epoch of the device, and did not end well. */
  void interrupted(int epoch) {
    interrupted = epoch;
  }

  /** As the other, of work that was not submitted last. */
  void interrupted(int epoch, long point) {
    interrupted(epoch);
    failedPoint = point;
  }

  /**
   * A piece is to be done again.
   *
   * @param code negated, with which the last try ended
   * @throws io.isle.api.jobs.JobException when that was the last one that the job allows
   */
  void again(Chunk chunk, int code) {
    if (chunk.retries >= env.patience().retries()) {
      throw Failures.exhausted(env.device(), step.name(), chunk.retries, code);
    }
    chunk.retries++;
    env.measures().retries.increment();
  }

  /** Work got further than any try before: tries count anew. */
  void advanced() {
    done();
    retries = 0;
  }

  /** Work ended well, even if its results are lost: what was before does not count any more. */
  void done() {
    ends = 0;
    giveBack();
  }

  /**
   * Waits until work is taken again, and for the step's next try.
   *
   * @param code negated, one that {@link Failures#passes}
   * @param epoch in which the interrupted work was submitted, or {@link #NONE}
   * @return whether the context is a new one
   * @throws io.isle.api.jobs.JobException when the program is to blame
   */
  boolean recover(int code, int epoch) throws InterruptedException {
    try {
      return recovered(code, epoch);
    } finally {
      since = env.recoveries().now(env.device());
    }
  }

  private boolean recovered(int code, int epoch) throws InterruptedException {
    boolean renewed = stream.recover(code);
    boolean passed = epoch == NONE || epoch == counted || epoch == stream.epoch();
    if (passed || renewed || env.faults().endDrivers()) {
      return renewed;
    }
    counted = epoch;
    Optional<RecoveryCause> cause = env.recoveries().cause(since);
    if (cause.filter(RetryPolicy::isOwnEnd).isEmpty()) {
      return false;
    }
    ends++;
    giveBack();
    if (ends == MOST) {
      throw Failures.endsDriver(env.device(), step, ends, cause.get());
    }
    turn = env.blame().next(env.device(), ends);
    // The device may have gone again meanwhile.
    return stream.recover(-Errno.EINTR);
  }

  private static boolean isOwnEnd(RecoveryCause cause) {
    return cause.kind() == RecoveryCause.Kind.CRASH && !cause.killed();
  }

  private void giveBack() {
    CrashBlame.Turn held = turn;
    turn = CrashBlame.Turn.NONE;
    held.close();
  }

  @Override
  public void close() {
    giveBack();
  }
}
