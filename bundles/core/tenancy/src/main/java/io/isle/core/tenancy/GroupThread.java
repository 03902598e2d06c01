package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.security.auth.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which groups change, in the order in which that was asked for. What is thrown
 * is told to whoever waits, else logged, and the next change is made.
 */
class GroupThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupThread.class);
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final ScheduledThreadPoolExecutor executor;
  private volatile Thread thread;

  GroupThread(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = new Thread(work, name);
              made.setDaemon(true);
              thread = made;
              return made;
            });
  }

  /** Runs later, or not at all once this is closed. */
  void post(Runnable work) {
    try {
      executor.execute(() -> guarded(work));
    } catch (RejectedExecutionException closed) {
      // The groups are going away: what would have been done no longer matters.
    }
  }

  /** As {@link #post}, after a while. */
  void after(Duration delay, Runnable work) {
    try {
      var ignored = executor.schedule(() -> guarded(work), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // as above
    }
  }

  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a change of groups failed by a defect", e);
    }
  }

  /**
   * Runs in the name of the caller and waits for the result.
   *
   * @throws TenancyException EBUSY from this thread itself; ETIMEDOUT after two minutes (it still
   *     runs to its end); ECLOSED once this is closed; ECANCELED when the caller is interrupted
   */
  <T> T call(String what, Callable<T> work) {
    if (Thread.currentThread() == thread) {
      throw new TenancyException(Errno.EBUSY, what + ": a controller may not change groups");
    }
    Subject caller = Subject.current();
    FutureTask<T> task = new FutureTask<>(caller == null ? work : () -> as(caller, work));
    try {
      executor.execute(task);
      return task.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new TenancyException(Errno.ECLOSED, what + ": the service is stopped");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new TenancyException(
          Errno.ETIMEDOUT, what + " is not done after " + LIMIT.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TenancyException(Errno.ECANCELED, what + " was interrupted");
    }
  }

  private static <T> T as(Subject caller, Callable<T> work) throws Exception {
    try {
      return Subject.callAs(caller, work);
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception thrown ? thrown : e;
    }
  }

  /** Drops what waits, ends the thread and waits for it. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
