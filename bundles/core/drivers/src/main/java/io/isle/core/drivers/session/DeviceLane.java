package io.isle.core.drivers.session;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.ControlLane;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.Set;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control lane of one process of a driver: a thread, on which calls are made. One that does not
 * return in time makes the process unusable; its thread is interrupted and, if it still hangs, left
 * behind. So does one that the driver answers with ENODEV.
 *
 * <p>Not a {@link io.isle.lib.agent.SerialExecutor}: a call here has a bound that covers the calls
 * before it, an abort answers the callers of running calls at once, and the end is waited for as
 * long as the call that runs may take.
 */
public final class DeviceLane implements ControlLane {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLane.class);

  /** How long a call that was interrupted may take to notice. */
  private static final long GRACE_NS = 100_000_000L;

  private static final long CLOSE_NS = 1_000_000_000L;

  private final String name;
  private final BooleanSupplier alive;
  private final Bounds bounds;
  private final Consumer<RecoveryCause> failed;
  private final ExecutorService thread;
  private final Set<Future<?>> calls = ConcurrentHashMap.newKeySet();

  /** Programs that calls build which have not ended: whoever waits behind them waits longer. */
  private final AtomicInteger building = new AtomicInteger();

  /** The thread that makes calls; null before the first. */
  private volatile Thread own;

  /** Whether a call was still being made when it was no longer waited for. */
  private volatile boolean hung;

  /** When the call that is being made is to have ended. */
  private volatile long deadlineNs = System.nanoTime();

  /**
   * How long a call may take.
   *
   * @param call of any call
   * @param build further, for each program that it builds
   */
  public record Bounds(Duration call, Duration build) {
    /**
     * Builds have longer than a native driver is given for one, so that its own end comes first.
     */
    public static Bounds of(Duration call) {
      return new Bounds(call, Duration.ofSeconds(60));
    }
  }

  /**
   * @param name of the device or of the process, for messages and the thread
   * @param alive false once the owner of the process knows that it can do no more
   * @param failed told why the process cannot be used any more; does not wait
   */
  public DeviceLane(
      String name, BooleanSupplier alive, Bounds bounds, Consumer<RecoveryCause> failed) {
    this.name = name;
    this.alive = alive;
    this.bounds = bounds;
    this.failed = failed;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("isle-control-" + name).factory());
  }

  @Override
  public <T> T call(String what, Supplier<T> operation) {
    return build(what, 0, operation);
  }

  @Override
  public void run(String what, Runnable operation) {
    boolean ignored =
        call(
            what,
            () -> {
              operation.run();
              return true;
            });
  }

  @Override
  public <T> T build(String what, int programs, Supplier<T> operation) {
    if (Thread.currentThread() == own) {
      throw new DriverException(
          Errno.EDEADLK,
          name
              + ": "
              + what
              + ": a control call of a device must not call the"
              + " same device again");
    }
    long limitMs = bounds.call.toMillis() + building.addAndGet(programs) * bounds.build.toMillis();
    try {
      return bounded(what, limitMs, operation);
    } finally {
      int ignored = building.addAndGet(-programs);
    }
  }

  private <T> T bounded(String what, long limitMs, Supplier<T> operation) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
    FutureTask<T> result =
        new FutureTask<>(
            () -> {
              own = Thread.currentThread();
              deadlineNs = deadline;
              return operation.get();
            });
    boolean interrupted = false;
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
      throw new DriverException(
          Errno.ENOMEM,
          name + ": " + what + ": the platform cannot start a thread for the call: " + e,
          e);
    } catch (ExecutionException e) {
      throw refused(what, e.getCause());
    } catch (TimeoutException e) {
      result.cancel(true);
      if (thread.isShutdown()) {
        // the device is on its way out: there may be another one that does not hang
        throw recovering(what, e);
      }
      String why = what + " did not return within " + limitMs + " ms";
      failed(new RecoveryCause(RecoveryCause.Kind.HANG, why));
      throw new DriverException(
          Errno.ETIMEDOUT, name + ": " + why + "; reload the driver of the device", e);
    } finally {
      calls.remove(result);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void post(String what, Runnable operation, Consumer<DriverException> done) {
    Thread.ofVirtual()
        .name("isle-control-post-" + name)
        .start(
            () -> {
              DriverException failure = null;
              try {
                run(what, operation);
              } catch (DriverException e) {
                failure = e;
              } catch (RuntimeException | Error e) {
                failure = new DriverException(Errno.EIO, name + ": " + what + ": " + e, e);
              }
              done.accept(failure);
            });
  }

  /** Takes no further call; whoever waits for one is told at once that the device recovers. */
  public void abort() {
    thread.shutdown();
    // before the thread is interrupted: else a call would end with what its interrupt made of it
    calls.forEach(call -> call.cancel(true));
    thread.shutdownNow();
  }

  /** Takes no further call; those that are being made go on. */
  public void shut() {
    thread.shutdown();
  }

  /** As {@link #shut}, waits a moment for those that are being made, then aborts them. */
  public void close() {
    shut();
    if (!calls.isEmpty()) {
      awaitThread(Math.min(bounds.call.toNanos(), CLOSE_NS));
    }
    abort();
  }

  /**
   * After {@link #abort}: waits until the driver has returned from the last call, if it does so
   * within the bound of that call, or a moment when that is over.
   */
  public void awaitReturn() {
    long left = Math.min(deadlineNs - System.nanoTime(), bounds.call.toNanos());
    awaitThread(Math.max(left, GRACE_NS));
  }

  /**
   * After {@link #close} or {@link #awaitReturn}: whether the driver had not returned from a call,
   * so that it would not hear of the next one either.
   */
  public boolean hung() {
    return hung;
  }

  private void awaitThread(long boundNs) {
    try {
      hung = !thread.awaitTermination(boundNs, TimeUnit.NANOSECONDS);
      if (hung) {
        LOG.warn("{}: a control call did not end when the device was closed", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(RecoveryCause cause) {
    LOG.error("{} failed: {}", name, cause.text());
    failed.accept(cause);
  }

  private DriverException recovering(String what, Throwable cause) {
    return new DriverException(
        Errno.EINTR, name + ": " + what + ": the device recovers; try again in a moment", cause);
  }

  private DriverException refused(String what, Throwable cause) {
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
        failed(new RecoveryCause(RecoveryCause.Kind.CRASH, what + ": " + text));
      }
      return recovering(what, cause);
    }
    return new DriverException(code, name + ": " + what + ": " + text, cause);
  }
}
