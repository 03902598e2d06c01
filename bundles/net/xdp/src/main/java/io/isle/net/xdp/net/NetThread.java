package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;

/** The thread that all changes of nets run on, in their order. Thread-safe. */
final class NetThread implements AutoCloseable {
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(60), what -> what + ": the nets are stopped", NetException::new);

  private final SerialExecutor executor = new SerialExecutor("isle-nets");

  SerialExecutor executor() {
    return executor;
  }

  /** Runs later. */
  void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /**
   * Runs, and waits for the end.
   *
   * @param what for the user
   * @throws NetException as thrown by the work; ECLOSED when the nets are stopped; ETIMEDOUT
   */
  <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  /** As {@link #call}, without a result. */
  void run(String what, Runnable work) {
    boolean ignored =
        call(
            what,
            () -> {
              work.run();
              return true;
            });
  }

  /** The end of a service; after the end of the nets, nothing of the service is left here. */
  void leave(String what, Runnable work) {
    try {
      run(what, work);
    } catch (NetException e) {
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
