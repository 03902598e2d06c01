package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Control calls of one open device: one at a time, each bounded. A call that does not return in
 * time makes the device unusable; its thread is interrupted and, if it still hangs, left behind. So
 * does one that the driver answers with ENODEV.
 */
public class ControlLane {
  /** Longer than what a native driver is given for one, so that its own end of it comes first. */
  private static final long BUILD_MS = 60_000;

  private final String device;
  private final BooleanSupplier alive;
  private final long boundMs;
  private final long buildMs;
  private final Consumer<RecoveryCause> failed;
  private final ExecutorService thread;
  private final Set<Future<?>> calls = ConcurrentHashMap.newKeySet();

  /** Programs that calls build which have not ended: whoever waits behind them waits longer. */
  private final AtomicInteger building = new AtomicInteger();

  /**
   * @param alive false once the device's owner knows that it can do no more
   * @param boundMs longest time of a call, in milliseconds
   * @param failed told why the device cannot be used any more
   */
  public ControlLane(
      String device, BooleanSupplier alive, long boundMs, Consumer<RecoveryCause> failed) {
    this(device, alive, boundMs, BUILD_MS, failed);
  }

  /**
   * @param buildMs further time for each program that a call builds, in milliseconds
   */
  ControlLane(
      String device,
      BooleanSupplier alive,
      long boundMs,
      long buildMs,
      Consumer<RecoveryCause> failed) {
    this.device = device;
    this.alive = alive;
    this.boundMs = boundMs;
    this.buildMs = buildMs;
    this.failed = failed;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("isle-control-" + device).factory());
  }

  /**
   * Makes a call of the driver.
   *
   * @param what for messages, such as "allocate"
   * @throws AccelException with the driver's code; EINTR when the device is taken away; ETIMEDOUT
   */
  public <T> T call(String what, Callable<T> operation) {
    return build(what, 0, operation);
  }

  /**
   * As {@link #call}, for one that builds {@code programs} programs from source. It has longer, and
   * so have calls that come while it lasts.
   */
  public <T> T build(String what, int programs, Callable<T> operation) {
    long limitMs = boundMs + building.addAndGet(programs) * buildMs;
    try {
      return bounded(what, limitMs, operation);
    } finally {
      int ignored = building.addAndGet(-programs);
    }
  }

  private <T> T bounded(String what, long limitMs, Callable<T> operation) {
    FutureTask<T> result = new FutureTask<>(operation);
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
    calls.add(result);
    try {
      thread.execute(result);
      while (true) {
        try {
          return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (RejectedExecutionException | CancellationException e) {
      throw recovering(what, e);
    } catch (OutOfMemoryError e) {
      // its thread could not be started, which the next call tries again
      throw new AccelException(
          Errno.ENOMEM, device + ": " + what + ": the platform has no thread for it: " + e, e);
    } catch (ExecutionException e) {
      throw refused(what, e.getCause());
    } catch (TimeoutException e) {
      result.cancel(true);
      if (thread.isShutdown()) {
        // the device is on its way out: there may be another one that does not hang
        throw recovering(what, e);
      }
      String why = what + " did not return within " + limitMs + " ms";
      failed.accept(new RecoveryCause(RecoveryCause.Kind.HANG, why));
      throw new AccelException(
          Errno.ETIMEDOUT, device + ": " + why + "; reload the driver of the device", e);
    } finally {
      calls.remove(result);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public void run(String what, Runnable operation) {
    call(
        what,
        () -> {
          operation.run();
          return null;
        });
  }

  /** Makes a call that nobody waits for; {@code done} hears null or why it failed, in any case. */
  public void post(String what, Runnable operation, Consumer<AccelException> done) {
    Thread.ofVirtual()
        .name("isle-control-post-" + device)
        .start(
            () -> {
              AccelException failure = null;
              try {
                run(what, operation);
              } catch (AccelException e) {
                failure = e;
              } catch (RuntimeException | Error e) {
                failure = new AccelException(Errno.EIO, device + ": " + what + ": " + e, e);
              }
              done.accept(failure);
            });
  }

  /** Takes no further call; whoever waits for one is told at once that the device recovers. */
  public void abort() {
    thread.shutdownNow();
    calls.forEach(call -> call.cancel(true));
  }

  /** Takes no further call, waits a moment for those that are being made, then aborts them. */
  public void close() {
    thread.shutdown();
    try {
      boolean ignored =
          calls.isEmpty()
              || thread.awaitTermination(Math.min(boundMs, 1000), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    abort();
  }

  private AccelException recovering(String what, Throwable cause) {
    return new AccelException(
        Errno.EINTR, device + ": " + what + ": the device recovers; try again", cause);
  }

  private AccelException refused(String what, Throwable cause) {
    int code =
        switch (cause) {
          case IsleException refusal -> refusal.code();
          case OutOfMemoryError e -> Errno.ENOMEM;
          default -> Errno.EIO;
        };
    String text = cause instanceof IsleException ? cause.getMessage() : cause.toString();
    if (code == Errno.ENODEV) {
      // of one that is known to have ended more is known than this
      if (alive.getAsBoolean()) {
        failed.accept(new RecoveryCause(RecoveryCause.Kind.CRASH, what + ": " + text));
      }
      return recovering(what, cause);
    }
    return new AccelException(code, device + ": " + what + ": " + text, cause);
  }
}
