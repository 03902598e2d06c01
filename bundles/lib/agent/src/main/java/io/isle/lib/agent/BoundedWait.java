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
 * A wait for work of another thread, with a time limit and with exceptions of the caller's area.
 * Immutable.
 *
 * @param limit longest wait for one result; the work itself continues afterwards
 * @param stopped makes the message for work that was dropped with its thread, from the name of the
 *     work
 * @param refusal makes exceptions of the area
 */
public record BoundedWait(Duration limit, UnaryOperator<String> stopped, Refusal refusal) {
  /** Makes the exception of one area. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * Makes an exception.
     *
     * @param code a code of {@link Errno}
     * @param message for the user
     * @param cause the cause, or null
     */
    IsleException of(int code, String message, Throwable cause);
  }

  /**
   * Waits for a result.
   *
   * @param what name of the work in messages
   * @throws IsleException of the area: ETIMEDOUT after the limit, ECLOSED for cancelled work,
   *     ECANCELED after an interrupt of the caller
   * @throws RuntimeException as thrown by the work; an {@link IllegalStateException} around any
   *     other exception of the work
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
      throw refusal.of(
          Errno.ETIMEDOUT, what + " did not end within " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal.of(Errno.ECANCELED, what + " was interrupted", e);
    }
  }
}
