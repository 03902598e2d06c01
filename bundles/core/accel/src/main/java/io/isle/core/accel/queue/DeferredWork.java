package io.isle.core.accel.queue;

import io.isle.api.base.Errno;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread of one device for work that its tenants' listeners may not do themselves: tasks run
 * one after the other, in order, from the first one on that is given until the managed device is
 * closed. Those of a context that was closed meanwhile do not run. What a task throws is logged,
 * and the next one runs. Thread-safe.
 *
 * <p>Not a {@link io.isle.lib.agent.SerialExecutor}: the queue is bounded, for a context and for
 * the device, and giving a task takes no lock, because completions are told on the giving thread.
 */
final class DeferredWork {
  /** Tasks of a device that wait. */
  static final int CAPACITY = 1024;

  /** Tasks of a context that wait, so that one cannot fill the queue for all. */
  static final int PER_CONTEXT = 64;

  private static final System.Logger LOG = System.getLogger(DeferredWork.class.getName());

  private record Task(QueueRecord record, Runnable work) {}

  private final String deviceId;
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile Thread thread;
  private volatile Task running;
  private volatile boolean closed;

  DeferredWork(String deviceId) {
    this.deviceId = deviceId;
  }

  /** See {@link io.isle.api.accel.Context#defer}. */
  int defer(QueueRecord record, Runnable work) {
    if (work == null) {
      return -Errno.EINVAL;
    }
    if (closed) {
      return -Errno.ENODEV;
    }
    if (record.state() == ContextState.State.CLOSED) {
      return -Errno.ECLOSED;
    }
    if (!record.capability().valid()) {
      return -Errno.EREVOKED;
    }
    Thread runs = thread;
    if (runs == null) {
      try {
        runs = start();
      } catch (OutOfMemoryError e) {
        // there is no further thread now
        return -Errno.ENOMEM;
      }
    }
    if (!take(record.deferred(), PER_CONTEXT)) {
      return -Errno.EAGAIN;
    }
    if (!take(waiting, CAPACITY)) {
      record.deferred().getAndDecrement();
      return -Errno.EAGAIN;
    }
    tasks.add(new Task(record, work));
    LockSupport.unpark(runs);
    return 0;
  }

  private static boolean take(AtomicInteger count, int most) {
    if (count.getAndIncrement() < most) {
      return true;
    }
    count.getAndDecrement();
    return false;
  }

  private synchronized Thread start() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().daemon().name("isle-defer-" + deviceId).start(this::run);
    }
    return thread;
  }

  private void run() {
    while (!closed) {
      Task task = tasks.poll();
      if (task == null) {
        LockSupport.park(this);
      } else {
        waiting.getAndDecrement();
        task.record().deferred().getAndDecrement();
        if (task.record().state() != ContextState.State.CLOSED) {
          run(task);
        }
      }
      // a task that was interrupted must not keep this thread from sleeping
      boolean ignored = Thread.interrupted();
    }
  }

  private void run(Task task) {
    running = task;
    try {
      task.work().run();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, who(task) + ": deferred work failed", e);
    } finally {
      running = null;
    }
  }

  private String who(Task task) {
    return task == null ? deviceId : task.record().who();
  }

  /**
   * The managed device is closed: a task that runs is interrupted and waited for, the others do not
   * run.
   *
   * @param boundMs longest wait
   */
  void close(long boundMs) {
    Thread runs;
    synchronized (this) {
      closed = true;
      runs = thread;
    }
    if (runs != null) {
      runs.interrupt();
      LockSupport.unpark(runs);
      if (runs != Thread.currentThread() && !ends(runs, boundMs)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: deferred work was interrupted and has not ended",
            who(running));
      }
    }
    int dropped = tasks.size();
    tasks.clear();
    if (dropped > 0) {
      LOG.log(
          System.Logger.Level.INFO,
          "{0}: {1} deferred tasks did not run",
          deviceId,
          Integer.toString(dropped));
    }
  }

  private static boolean ends(Thread thread, long boundMs) {
    try {
      return thread.join(Duration.ofMillis(boundMs));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
