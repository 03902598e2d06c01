package io.isle.core.drivers.threads;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls code of a Java driver that may never return. */
public final class BoundedCall {
  private static final Logger LOG = LoggerFactory.getLogger(BoundedCall.class);

  private BoundedCall() {}

  /**
   * Calls on a thread of its own.
   *
   * @param what names call and thread
   * @throws DriverException ETIMEDOUT when it does not return: its thread is interrupted and then
   *     left behind, knowingly; what the call throws otherwise
   */
  public static <T> T call(String what, Duration bound, Supplier<T> call) {
    return call(what, bound, call, late -> {});
  }

  /**
   * As {@link #call(String, Duration, Supplier)}.
   *
   * @param late gets, on the call's thread, what it returned when nobody waited any more
   */
  public static <T> T call(String what, Duration bound, Supplier<T> call, Consumer<T> late) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    CompletableFuture<Void> interrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("isle-" + what.replace(' ', '-'))
            .start(
                () -> {
                  try {
                    T value = call.get();
                    if (!answer.complete(value)) {
                      // the interruption was for the call, not for what follows
                      var unused = interrupted.join();
                      boolean ignored = Thread.interrupted();
                      late.accept(value);
                    }
                  } catch (Throwable e) {
                    if (!answer.completeExceptionally(e)) {
                      LOG.warn("{} failed after its time limit", what, e);
                    }
                  }
                });
    Runnable interrupt =
        () -> {
          thread.interrupt();
          boolean ignored = interrupted.complete(null);
        };
    try {
      return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return givenUp(
          answer,
          interrupt,
          new DriverException(
              Errno.ETIMEDOUT, what + " did not return within " + bound.toMillis() + " ms", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return givenUp(
          answer, interrupt, new DriverException(Errno.ECANCELED, what + " was interrupted", e));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new DriverException(Errno.EIO, what + " failed: " + e.getCause(), e.getCause());
    }
  }

  /** Throws, unless the answer has come just now. */
  private static <T> T givenUp(
      CompletableFuture<T> answer, Runnable interrupt, DriverException why) {
    if (answer.completeExceptionally(why) || answer.isCompletedExceptionally()) {
      interrupt.run();
      throw why;
    }
    return answer.join();
  }
}
