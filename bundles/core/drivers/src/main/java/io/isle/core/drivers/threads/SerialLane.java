package io.isle.core.drivers.threads;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does what it is given, one thing after the other. What is thrown is logged, and the
 * next thing is done. Thread-safe.
 */
public final class SerialLane {
  private static final Logger LOG = LoggerFactory.getLogger(SerialLane.class);

  private final String name;
  private final ScheduledThreadPoolExecutor executor;

  /**
   * @param executor of one thread, which belongs to this lane from now on
   */
  public SerialLane(String name, ScheduledThreadPoolExecutor executor) {
    this.name = name;
    this.executor = executor;
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** A thread of this name, which starts with the first work. */
  public static ScheduledThreadPoolExecutor thread(String name) {
    return new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
  }

  /** False when it was not taken, because the lane is shut. */
  public boolean post(Runnable work) {
    try {
      // one that is shut in mid-call cancels the work instead of refusing it
      return !executor.submit(() -> guarded(work)).isCancelled();
    } catch (RejectedExecutionException shut) {
      return false;
    }
  }

  /** Does it later, unless it is cancelled or the lane is shut by then. */
  public ScheduledFuture<?> after(long delayNs, Runnable work) {
    return executor.schedule(() -> guarded(work), delayNs, TimeUnit.NANOSECONDS);
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: a step failed by a defect of the platform", name, e);
      throw e;
    }
  }

  /** Takes nothing more; what is queued is done. The thread ends. */
  public void shutdown() {
    executor.shutdown();
  }
}
