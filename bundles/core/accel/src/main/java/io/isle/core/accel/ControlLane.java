package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Control calls of one open device: one at a time, each bounded. A call that does not return in
 * time makes the device unusable; its thread is interrupted and, if it still hangs, left behind.
 */
final class ControlLane {
  private final String device;
  private final long boundMs;
  private final Consumer<String> failed;
  private final ExecutorService thread;

  /**
   * @param boundMs longest time of a call, in milliseconds
   * @param failed told why the device cannot be used any more
   */
  ControlLane(String device, long boundMs, Consumer<String> failed) {
    this.device = device;
    this.boundMs = boundMs;
    this.failed = failed;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("isle-control-" + device).factory());
  }

  /**
   * Makes a call of the driver.
   *
   * @param what for messages, such as "allocate"
   * @throws AccelException with the driver's code; ENODEV after the end; ETIMEDOUT
   */
  <T> T call(String what, Callable<T> operation) {
    Future<T> result;
    try {
      result = thread.submit(operation);
    } catch (RejectedExecutionException e) {
      throw new AccelException(Errno.ENODEV, device + ": " + what + ": the device was lost", e);
    }
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(boundMs);
    try {
      while (true) {
        try {
          return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw refused(what, e.getCause());
    } catch (TimeoutException e) {
      result.cancel(true);
      String why = what + " did not return within " + boundMs + " ms";
      failed.accept(why);
      throw new AccelException(
          Errno.ETIMEDOUT, device + ": " + why + "; reload the driver of the device", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void run(String what, Runnable operation) {
    call(
        what,
        () -> {
          operation.run();
          return null;
        });
  }

  /** Takes no further call and waits a moment for the one that is being made. */
  void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(Math.min(boundMs, 1000), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private AccelException refused(String what, Throwable cause) {
    int code = cause instanceof IsleException refusal ? refusal.code() : Errno.EIO;
    String text = cause instanceof IsleException ? cause.getMessage() : cause.toString();
    return new AccelException(code, device + ": " + what + ": " + text, cause);
  }
}
