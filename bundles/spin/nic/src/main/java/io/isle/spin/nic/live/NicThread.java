package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.spin.SpinException;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;

/** The thread that all changes of interfaces run on, in their order. Thread-safe. */
public final class NicThread implements AutoCloseable {
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(60),
          what -> what + ": the network interfaces are stopped",
          SpinException::new);

  private final SerialExecutor executor = new SerialExecutor("isle-spin");

  /** Runs later. */
  public void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /** Runs again and again. */
  public void every(Duration period, Runnable work) {
    executor.every(period, work);
  }

  /**
   * Runs, and waits for the end.
   *
   * @param what for the user
   * @throws SpinException as thrown by the work; ECLOSED when the interfaces are stopped; ETIMEDOUT
   */
  public <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  /** As {@link #call}, without a result. */
  public void run(String what, Runnable work) {
    boolean ignored =
        call(
            what,
            () -> {
              work.run();
              return true;
            });
  }

  /** As {@link #run}, and nothing when the interfaces are stopped already. */
  public void leave(String what, Runnable work) {
    try {
      run(what, work);
    } catch (SpinException e) {
      if (e.code() != Errno.ECLOSED) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    executor.close();
  }
}
