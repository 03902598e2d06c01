package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.spin.SpinException;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The thread that all changes of interfaces run on, in their order. Thread-safe. */
public final class NicThread implements AutoCloseable {
  private static final BoundedWait WAIT = within(Duration.ofSeconds(60));

  private final SerialExecutor executor = new SerialExecutor("isle-spin");

  private static BoundedWait within(Duration limit) {
    return new BoundedWait(
        limit, what -> what + ": the network interfaces are stopped", SpinException::new);
  }

  /** Runs later. */
  public void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /** Runs after a while. */
  void after(Duration delay, Runnable work) {
    var ignored = executor.after(delay, work);
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

  /**
   * Begins work that comes to its end later, waits for that, and wants it no more if it takes too
   * long. Any other thread.
   *
   * @param begin completes the future at the end
   * @throws SpinException as {@link #call}
   */
  void await(String what, Duration limit, Consumer<CompletableFuture<Boolean>> begin) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    try {
      run(what, () -> begin.accept(over));
      boolean ignored = within(limit).result(what, over);
    } finally {
      boolean ignored = over.cancel(false);
    }
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
