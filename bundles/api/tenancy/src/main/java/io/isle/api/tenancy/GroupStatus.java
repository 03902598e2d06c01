package io.isle.api.tenancy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group and what became of its settings. Immutable.
 *
 * @param group in force; empty while it is held back, because of what {@code error} says
 * @param settings what its file says, in force or not; empty when there is no file
 * @param error why the file, or a part of it, is not in force; empty when it is
 * @param notInForce own keys whose controller is not there: kept, and in force when it comes
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
