package io.isle.core.drivers.nativecode.shim;

import io.isle.lib.agent.SerialExecutor;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a driver that may not return, on a thread of its own, one call after the other, so that the
 * caller can give it up. For one thread at a time.
 */
final class ShimCaller {
  private final SerialExecutor thread;
  private volatile boolean hung;

  ShimCaller(String device) {
    this.thread = new SerialExecutor("isle-control-" + device);
  }

  /** Whether a call was given up, although it may have returned since. */
  boolean hung() {
    return hung;
  }

  /** Empty when it was given up, or when the caller was interrupted: then the call goes on. */
  <T> Optional<T> unlessInterrupted(Callable<T> work, long boundNs) {
    try {
      return await(thread.submit(work), System.nanoTime() + boundNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Empty when it was given up. The bound includes calls that were made before and go on. */
  <T> Optional<T> call(Callable<T> work, long boundNs) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + boundNs;
    Future<T> result = thread.submit(work);
    try {
      while (true) {
        try {
          return await(result, deadline);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> Optional<T> await(Future<T> result, long deadline) throws InterruptedException {
    try {
      return Optional.of(result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      hung = true;
      // nor shall it begin later
      boolean ignored = result.cancel(false);
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call of the driver runtime failed", e.getCause());
    }
  }

  /** Takes no further call; the thread ends when those that were made have returned. */
  void shutdown() {
    thread.shut();
  }
}
