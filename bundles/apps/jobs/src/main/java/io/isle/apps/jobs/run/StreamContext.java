package io.isle.apps.jobs.run;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.Platform;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The context of a stream over crashes of the driver and restarts of the core: interrupted, it
 * waits; lost, it is opened anew on the same device. Used by the stream's thread.
 */
final class StreamContext implements AutoCloseable {
  /** How long work waits that found every slot of the context taken. */
  private static final long ROOM_US = 50;

  private final Env env;
  private final String group;
  private final ContextSpec spec;
  private final ClockFeed completions = new ClockFeed();
  private final ContextPrograms programs = new ContextPrograms();
  private Accelerator accelerator;
  private Context context;
  private int epoch;
  private long interruptions;

  /** Point of the newest submission. */
  private long newest;

  StreamContext(Env env, String group, ContextSpec spec) {
    this.env = env;
    this.group = group;
    this.spec = spec;
  }

  /** Opens it. */
  void open() throws InterruptedException {
    openBy(System.nanoTime() + env.patience().recoveryNs());
  }

  Context context() {
    return context;
  }

  /** Bytes of the longest submission. */
  int commandBytes() {
    return spec.commandBytes();
  }

  String device() {
    return env.device();
  }

  /**
   * Grows with each opening of the device and each interruption of the context: another one
   * afterwards means that memory may have lost its contents.
   */
  int epoch() {
    return accelerator.epoch() + context.interruptions();
  }

  /**
   * Waits until the context takes work.
   *
   * @return 0, or a negated code of a context that is gone
   * @throws JobException when the device does not come back in time
   */
  int settle() throws InterruptedException {
    return settleBy(deadline());
  }

  private int settleBy(long until) throws InterruptedException {
    int status = context.awaitUsable(0);
    if (status == -Errno.ETIME) {
      env.observer().recovering(env.device());
      status = context.awaitUsable(Math.max(0, until - System.nanoTime()));
    }
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    if (status == -Errno.ETIME) {
      throw notBack("the device is still recovering", null);
    }
    return status;
  }

  /** Bytes of device memory that nobody has taken. */
  long freeMemory() throws InterruptedException {
    AcceleratorInfo info = insisting(() -> accelerator.info());
    return Math.max(0, info.memoryBytes() - info.memoryUsedBytes());
  }

  /** Bytes of device memory, taken or not. */
  long memory() throws InterruptedException {
    return insisting(() -> accelerator.info()).memoryBytes();
  }

  /** A control call, again after each recovery. */
  private <T> T insisting(Supplier<T> call) throws InterruptedException {
    long until = deadline();
    while (true) {
      try {
        return call.get();
      } catch (IsleException e) {
        int code = Failures.ofCall(e);
        if (!Failures.passes(code)) {
          throw e;
        }
        if (System.nanoTime() - until >= 0) {
          throw notBack(e.getMessage(), e);
        }
        boolean ignored = recoverBy(code, until);
      }
    }
  }

  /** The program, loaded when it is first asked for; it stays on the stream's contexts. */
  Program load(ProgramSource wanted) throws InterruptedException {
    programs.want(wanted);
    return insisting(
        () -> {
          programs.load(context);
          return programs.get(wanted);
        });
  }

  /**
   * Waits until work is taken again.
   *
   * @param code negated, one that {@link Failures#passes}
   * @return whether the context is a new one: then every buffer of the old one is gone
   * @throws JobException when the device does not come back in time
   */
  boolean recover(int code) throws InterruptedException {
    return recoverBy(code, deadline());
  }

  private long deadline() {
    return System.nanoTime() + env.patience().recoveryNs();
  }

  private boolean recoverBy(int code, long until) throws InterruptedException {
    int status = Failures.ends(code) ? code : settleBy(until);
    boolean renewed = Failures.ends(status);
    if (renewed) {
      env.observer().recovering(env.device());
      closeOld();
      openBy(until);
    } else if (status != 0) {
      throw Failures.device(env.device(), spec.name(), status);
    }
    int now = epoch();
    if (renewed || now != epoch) {
      epoch = now;
      env.measures().interruptions.accumulate(++interruptions);
    }
    return renewed;
  }

  private void openBy(long until) throws InterruptedException {
    while (true) {
      try {
        accelerator = env.tenant().accelerator(until);
        context = accelerator.open(env.tenant().capability(group, until), spec);
        epoch = epoch();
        programs.load(context);
        completions.hear(context);
        return;
      } catch (IsleException e) {
        if (!Failures.passes(Failures.ofCall(e))) {
          throw e;
        }
        if (System.nanoTime() - until >= 0) {
          throw notBack(e.getMessage(), e);
        }
        closeOld();
      }
      TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
    }
  }

  /** Whose work is submitted from now on. */
  void clock(StepClock next) {
    completions.clock(next);
  }

  /**
   * Submits what {@code writing} writes; waits for room. The step's clock counts from here.
   *
   * @return the point, or a negated code
   * @throws io.isle.api.jobs.JobException when what was written is no work
   */
  long submit(Consumer<CommandWriter> writing) throws InterruptedException {
    return submit(writing, System.nanoTime());
  }

  /** As the other, with a clock that counts from another time. */
  long submit(Consumer<CommandWriter> writing, long begun) throws InterruptedException {
    while (true) {
      CommandWriter writer = context.writer();
      if (writer != null) {
        writing.accept(writer);
      }
      long point = context.submit(writer);
      if (point < 0 && writer != null && !writer.mistake().isEmpty()) {
        throw Failures.mistaken(env.device(), writer.mistake(), (int) point);
      }
      if (point != -Errno.EAGAIN) {
        completions.submitted(point, begun);
        newest = point;
        return point;
      }
      TimeUnit.MICROSECONDS.sleep(ROOM_US);
    }
  }

  /** As {@link #error}, of the newest one. */
  Optional<WorkError> newestError() {
    return error(0);
  }

  /**
   * What the driver said of a submission, if it ended that with an error.
   *
   * @param point 0 for the newest
   */
  Optional<WorkError> error(long point) {
    return context.error(point == 0 ? newest : point);
  }

  private JobException notBack(String why, Throwable cause) {
    return Failures.notBack(env.device(), env.patience().recoveryNs(), why, cause);
  }

  /** An interrupt must not keep the context from waiting for what is in flight. */
  private void closeOld() {
    boolean interrupted = Thread.interrupted();
    try {
      if (context != null) {
        env.measures().estimates.add(context.info().estimate());
        context.close();
      }
    } finally {
      completions.mute();
      context = null;
      programs.lost();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    closeOld();
  }
}
