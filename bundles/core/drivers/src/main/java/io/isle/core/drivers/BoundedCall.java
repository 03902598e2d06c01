package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls code of a Java driver that may never return. */
final class BoundedCall {
  private BoundedCall() {}

  /**
   * Calls on a thread of its own.
   *
   * @param what names call and thread
   * @throws DriverException ETIMEDOUT when it does not return: its thread is interrupted and then
   *     left behind, knowingly; what the call throws otherwise
   */
  static <T> T call(String what, Duration bound, Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("isle-" + what.replace(' ', '-'))
            .start(
                () -> {
                  try {
                    boolean ignored = answer.complete(call.get());
                  } catch (Throwable e) {
                    boolean ignored = answer.completeExceptionally(e);
                  }
                });
    try {
      return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new DriverException(
          Errno.ETIMEDOUT, what + " did not return in " + bound.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new DriverException(Errno.ECANCELED, what + " was interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new DriverException(Errno.EIO, what + " failed: " + e.getCause(), e.getCause());
    }
  }
}
