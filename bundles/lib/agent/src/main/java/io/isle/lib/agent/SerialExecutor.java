package io.isle.lib.agent;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One daemon thread that runs tasks one after the other, in the order in which the tasks were
 * given; delayed tasks run when their time has come. The thread starts with the first task. An
 * exception or error of a task is logged, or kept in the task's future, and the next task runs. The
 * queue has no bound: owners whose callers must be held back need a queue of their own.
 * Thread-safe.
 */
public final class SerialExecutor implements Executor, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SerialExecutor.class.getName());
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final String name;
  private final ScheduledThreadPoolExecutor executor;
  private volatile Thread thread;

  /**
   * @param name of the thread
   */
  public SerialExecutor(String name) {
    this(name, new ScheduledThreadPoolExecutor(1));
  }

  SerialExecutor(String name, ScheduledThreadPoolExecutor executor) {
    this.name = name;
    this.executor = executor;
    executor.setThreadFactory(this::thread);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setRemoveOnCancelPolicy(true);
    executor.setRejectedExecutionHandler((task, pool) -> cancel(task));
  }

  private Thread thread(Runnable work) {
    Thread made = Thread.ofPlatform().daemon().name(name).unstarted(work);
    thread = made;
    return made;
  }

  private static void cancel(Runnable task) {
    if (task instanceof Future<?> future) {
      boolean ignored = future.cancel(false);
    }
  }

  /**
   * Starts the thread, unless it runs already. Each submission does so first: a task whose thread
   * cannot be started must not stay in the queue.
   *
   * @throws OutOfMemoryError when there is no further thread
   */
  public void start() {
    boolean ignored = executor.prestartCoreThread();
  }

  /** Whether the caller is a task of this executor. */
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Runs {@code work} later.
   *
   * @return false when the task was not taken, because the executor is shut
   */
  public boolean post(Runnable work) {
    start();
    return !executor.submit(() -> guarded(work)).isCancelled();
  }

  /**
   * As {@link #post}.
   *
   * @throws RejectedExecutionException when the executor is shut
   */
  @Override
  public void execute(Runnable work) {
    if (!post(work)) {
      throw new RejectedExecutionException(name + " is closed");
    }
  }

  /**
   * Runs {@code work} after a while.
   *
   * @return can be cancelled; cancelled already when the executor is shut
   */
  public Future<?> after(Duration delay, Runnable work) {
    start();
    return executor.schedule(() -> guarded(work), nanos(delay), TimeUnit.NANOSECONDS);
  }

  /** Runs {@code work} again and again, each time {@code period} after the end of the last run. */
  public void every(Duration period, Runnable work) {
    start();
    long ns = nanos(period);
    var ignored =
        executor.scheduleWithFixedDelay(() -> guarded(work), ns, ns, TimeUnit.NANOSECONDS);
  }

  /**
   * Runs {@code work} later; at once when a task of this executor asks, which would wait for itself
   * otherwise.
   *
   * @return the result or what was thrown; cancelled when the executor is shut before the task ran
   */
  public <T> Future<T> submit(Callable<T> work) {
    if (isCurrent()) {
      FutureTask<T> task = new FutureTask<>(work);
      task.run();
      return task;
    }
    start();
    return executor.submit(work);
  }

  /** The longest time that there is for one that is longer. */
  private static long nanos(Duration time) {
    return TimeUnit.NANOSECONDS.convert(time);
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          name + ": a task failed because of a defect of the platform",
          e);
    }
  }

  /** Cancels all tasks that have not begun, regular ones too; further tasks are taken. */
  public void drop() {
    for (Runnable task : executor.getQueue().toArray(Runnable[]::new)) {
      cancel(task);
    }
  }

  /** Takes no further task. Queued tasks still run, delayed ones do not; then the thread ends. */
  public void shut() {
    executor.shutdown();
  }

  /** Whether no further task is taken. */
  public boolean isShut() {
    return executor.isShutdown();
  }

  /** Takes no further task, cancels all that have not begun and interrupts the one that runs. */
  public void abort() {
    executor.shutdownNow().forEach(SerialExecutor::cancel);
  }

  /**
   * Waits for the end of the thread, after {@link #shut} or {@link #abort}.
   *
   * @return false when the thread takes longer
   */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return executor.awaitTermination(nanos(limit), TimeUnit.NANOSECONDS);
  }

  /** {@link #shut}, and waits for all queued tasks, however long; an interrupt aborts them. */
  public void finish() {
    executor.close();
  }

  /**
   * {@link #abort}, and waits up to ten seconds for the task that runs, unless that task itself
   * closes the executor.
   */
  @Override
  public void close() {
    abort();
    if (isCurrent()) {
      return;
    }
    try {
      if (!awaitEnd(CLOSE)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: a task was interrupted and has not ended after {1} s",
            name,
            Long.toString(CLOSE.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
