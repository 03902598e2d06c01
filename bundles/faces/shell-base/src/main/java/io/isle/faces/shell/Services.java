package io.isle.faces.shell;

import java.util.Optional;
import java.util.function.Function;

/**
 * Where commands find the services that they need, at the time of the call: a command stays
 * registered while a service is away, and says so in one line.
 */
public interface Services {
  /** Calls {@code use} with the service, or returns empty if there is none. */
  <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use);

  /**
   * Calls {@code use} with the service.
   *
   * @param use must not return null
   * @throws ShellException when there is none
   */
  default <S, R> R with(Class<S> type, Function<S, R> use) {
    return ifThere(type, use)
        .orElseThrow(
            () ->
                ShellException.failed(
                    "the service "
                        + type.getSimpleName()
                        + " is not available: its bundle is stopped or did not start; see"
                        + " bundle:list and log:display"));
  }
}
