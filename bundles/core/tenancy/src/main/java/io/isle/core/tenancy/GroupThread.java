package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import javax.security.auth.Subject;

/**
 * The one thread on which groups change, in the order in which the changes were asked for: a serial
 * executor whose callers wait for results, each change in the name of its caller.
 */
class GroupThread implements AutoCloseable {
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(120),
          what -> what + ": the group service is stopped",
          TenancyException::new);

  private final SerialExecutor executor;

  GroupThread(String name) {
    executor = new SerialExecutor(name);
  }

  /** Runs later; not at all once the groups go away, when nothing depends on it any more. */
  void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /** As {@link #post}, after a while. */
  void after(Duration delay, Runnable work) {
    var ignored = executor.after(delay, work);
  }

  /**
   * Runs in the name of the caller and waits for the result.
   *
   * @throws TenancyException EBUSY from this thread itself; ETIMEDOUT after two minutes (the change
   *     still runs to its end); ECLOSED once this is closed; ECANCELED when the caller is
   *     interrupted
   */
  <T> T call(String what, Callable<T> work) {
    if (executor.isCurrent()) {
      throw new TenancyException(Errno.EBUSY, what + ": a controller may not change groups");
    }
    Subject caller = Subject.current();
    return WAIT.result(what, executor.submit(caller == null ? work : () -> as(caller, work)));
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
    executor.close();
  }
}
