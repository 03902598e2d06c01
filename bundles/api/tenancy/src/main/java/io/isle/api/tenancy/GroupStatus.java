package io.isle.api.tenancy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group and the state of its settings. Immutable.
 *
 * @param name name of the group
 * @param group the group in force; empty while the group is held back for the reason in {@code
 *     error}
 * @param settings contents of the group's file, in force or not; empty without a file
 * @param error reason if the file, or a part of the file, is not in force; empty otherwise
 * @param notInForce own keys of absent controllers: kept, and in force after the return of the
 *     controller
 */
public record GroupStatus(
    String name,
    Optional<Group> group,
    Map<String, String> settings,
    String error,
    List<String> notInForce) {
  public GroupStatus {
    settings = Map.copyOf(settings);
    notInForce = List.copyOf(notInForce);
  }
}
