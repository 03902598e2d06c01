package io.isle.api.jobs;

import java.util.Objects;

/**
 * A resource of a {@link SetupKind} that a job file describes. Immutable.
 *
 * @param name name of the resource
 * @param values checked values of the parameters, with default values
 */
public record SetupResource(String name, ActionValues values) {
  public SetupResource {
    Objects.requireNonNull(name);
    Objects.requireNonNull(values);
  }
}
