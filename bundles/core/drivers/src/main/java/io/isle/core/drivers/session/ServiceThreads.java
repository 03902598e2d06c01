package io.isle.core.drivers.session;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that call services of other bundles, which may be slow or never return. They end when
 * there is nothing to do; one that does not return is left behind at the end, knowingly.
 * Thread-safe.
 */
public final class ServiceThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceThreads.class);
  private static final int KEEP_SECONDS = 5;
  private static final Duration LAST = Duration.ofSeconds(1);

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEEP_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("isle-drivers-guest-", 0).factory());

  /** False when it was not taken, because this is closed or no thread is to be had. */
  public boolean execute(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    } catch (OutOfMemoryError e) {
      LOG.error("no thread is available for a service of another bundle", e);
      return false;
    }
  }

  /** Waits a moment for what runs, interrupts it, and waits once more. */
  @Override
  public void close() {
    threads.shutdown();
    if (!ended()) {
      threads.shutdownNow();
      if (!ended()) {
        LOG.warn("a call of another bundle does not return; the thread of the call stays");
      }
    }
  }

  private boolean ended() {
    try {
      return threads.awaitTermination(LAST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
