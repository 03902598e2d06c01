package io.isle.core.drivers.threads;

import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what may block and nobody waits for, now or later, on threads that end when there is nothing
 * to do. Once closed it runs nothing new. What is thrown is logged, and the next one runs; what is
 * run again and again is. Thread-safe.
 */
public final class Background implements AutoCloseable {
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
  private final SerialExecutor timer = new SerialExecutor("isle-drivers-timer");

  /** False when it was not taken, because this is closed or no thread is to be had. */
  public boolean execute(Runnable work) {
    try {
      workers.execute(() -> guarded(work));
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    } catch (OutOfMemoryError e) {
      LOG.error("no thread is available for background work", e);
      return false;
    }
  }

  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("background work failed because of a defect of the platform", e);
    }
  }

  public void after(Duration delay, Runnable work) {
    // once this is closed nothing needs the work any more
    var ignored =
        timer.after(
            delay,
            () -> {
              boolean unused = execute(work);
            });
  }

  /** Runs {@code work}, which does not block, again and again until this is closed. */
  public void every(Duration period, Runnable work) {
    timer.every(period, work);
  }

  /** Waits for what runs. */
  @Override
  public void close() {
    timer.close();
    workers.close();
  }
}
