package io.isle.api.jobs;

import java.util.List;

/**
 * A kind of event that a job's schedule can bring about on a resource of a {@link SetupKind}.
 * Immutable.
 *
 * @param name matches {@link JobAction#NAME}; distinct within a kind of resources
 * @param fault whether the event is a fault, which the measure {@code faults} counts; else an
 *     orderly change
 * @param parameters of the event, with distinct names
 */
public record SetupEvent(String name, boolean fault, List<ActionParameter> parameters) {
  public SetupEvent {
    if (!name.matches(JobAction.NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no name of an event");
    }
    parameters = List.copyOf(parameters);
  }

  /** Key of the schedule entry that has the name: {@code fault} or {@code change}. */
  public String key() {
    return fault ? "fault" : "change";
  }
}
