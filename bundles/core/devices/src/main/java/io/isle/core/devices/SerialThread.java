package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that runs what it is given, in order. A call from that thread runs at once. What is
 * thrown is told to whoever waits, else logged, and the next one runs.
 */
final class SerialThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SerialThread.class);

  private final String name;
  private final ThreadPoolExecutor executor;
  private volatile Thread thread;

  SerialThread(String name) {
    this.name = name;
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread made = new Thread(work, name);
              made.setDaemon(true);
              thread = made;
              return made;
            });
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Runs later, or not at all once this is closed. */
  void post(Runnable work) {
    try {
      executor.execute(() -> guarded(work));
    } catch (RejectedExecutionException closed) {
      // The devices are going away: what would have been done no longer matters.
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: a step failed by a defect", name, e);
    }
  }

  /**
   * Runs and waits for the result.
   *
   * @throws DeviceException ETIMEDOUT when it takes longer than {@code limit} (it still runs to its
   *     end), ECLOSED once this is closed
   */
  <T> T call(Duration limit, String what, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    if (isCurrent()) {
      task.run();
    } else {
      try {
        executor.execute(task);
      } catch (RejectedExecutionException e) {
        throw new DeviceException(Errno.ECLOSED, "the device tree is stopped");
      }
    }
    return await(limit, what, task);
  }

  /**
   * Waits for something that was asked for.
   *
   * @throws DeviceException ETIMEDOUT when it takes longer than {@code limit}
   */
  static <T> T await(Duration limit, String what, Future<T> asked) {
    try {
      return asked.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new DeviceException(
          Errno.ETIMEDOUT, what + " is not done after " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeviceException(Errno.ECANCELED, what + " was interrupted", e);
    }
  }

  /** Drops what waits, ends the thread and waits for it, unless called from it. */
  @Override
  public void close() {
    executor.shutdownNow();
    if (isCurrent()) {
      return;
    }
    try {
      executor.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
