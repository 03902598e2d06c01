package io.isle.api.jobs;

import java.util.Objects;

/**
 * A mistake in the parameters of a {@link JobAction} or a {@link SetupKind}. Jobs report mistakes
 * with file, line and field. Immutable.
 *
 * @param parameter the parameter with the mistake; empty for a mistake of several parameters
 * @param message the mistake and the allowed values, without the parameter's name
 */
public record ActionMistake(String parameter, String message) {
  public ActionMistake {
    Objects.requireNonNull(parameter);
    Objects.requireNonNull(message);
  }
}
