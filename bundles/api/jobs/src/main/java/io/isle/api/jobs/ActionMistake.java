package io.isle.api.jobs;

import java.util.Objects;

/**
 * A mistake in the parameters of a {@link JobAction}. Jobs tell it with file, line and field.
 *
 * @param parameter whose value is wrong; empty when none alone is
 * @param message what is wrong and what is allowed, without the parameter's name
 */
public record ActionMistake(String parameter, String message) {
  public ActionMistake {
    Objects.requireNonNull(parameter);
    Objects.requireNonNull(message);
  }
}
