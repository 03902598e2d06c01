package io.isle.core.drivers;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what may block and nobody waits for, now or later, on threads that end when there is nothing
 * to do. Once closed it runs nothing new. Thread-safe.
 */
final class Background implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private static final int KEEP_SECONDS = 5;

  private final ExecutorService workers =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEEP_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("isle-drivers-work-", 0).factory());
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("isle-drivers-timer").factory());

  Background() {
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** False when it was not taken, because this is closed. */
  boolean execute(Runnable work) {
    try {
      workers.execute(work);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  void after(Duration delay, Runnable work) {
    try {
      var ignored =
          timer.schedule(
              () -> {
                boolean unused = execute(work);
              },
              delay.toNanos(),
              TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      // what it was for has ended too
    }
  }

  /** Runs {@code work}, which does not block, again and again until this is closed. */
  void every(Duration period, Runnable work) {
    Runnable guarded =
        () -> {
          try {
            work.run();
          } catch (RuntimeException e) {
            LOG.error("a regular look failed by a defect of the platform", e);
          }
        };
    var ignored =
        timer.scheduleWithFixedDelay(
            guarded, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits for what runs. */
  @Override
  public void close() {
    timer.shutdownNow();
    workers.close();
  }
}
