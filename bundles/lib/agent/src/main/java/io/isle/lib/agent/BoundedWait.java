package io.isle.lib.agent;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * How callers wait for work of another thread: up to a limit, and with the exceptions of their own
 * area. Immutable.
 *
 * @param limit longest wait for one result; the work itself goes on after it
 * @param stopped message of work that was dropped because its thread ended, made of the name of the
 *     work
 * @param refusal makes the area's exception
 */
public record BoundedWait(Duration limit, UnaryOperator<String> stopped, Refusal refusal) {
  /** Makes the exception of one area. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * Makes one.
     *
     * @param code of {@link Errno}
     */
    IsleException of(int code, String message, Throwable cause);
  }

  /**
   * Waits for a result.
   *
   * @param what names the work in messages
   * @throws IsleException of the area: ETIMEDOUT after the limit, ECLOSED when the work was
   *     cancelled, ECANCELED when the caller is interrupted
   * @throws RuntimeException as the work threw it; an {@link IllegalStateException} around anything
   *     else that the work threw
   */
  public <T> T result(String what, Future<T> asked) {
    try {
      return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (CancellationException e) {
      throw refusal.of(Errno.ECLOSED, stopped.apply(what), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw refusal.of(Errno.ETIMEDOUT, what + " is not done after " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal.of(Errno.ECANCELED, what + " was interrupted", e);
    }
  }
}
