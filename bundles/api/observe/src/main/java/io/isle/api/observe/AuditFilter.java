package io.isle.api.observe;

import java.util.Optional;

/**
 * A selection of records; an empty field matches all records. Immutable.
 *
 * @param actor part of the actor's text
 * @param device id of the device
 * @param action the action or its area: {@code device} matches {@code device.reset}
 * @param afterNumber only records with a greater number
 */
public record AuditFilter(
    Optional<String> actor, Optional<String> device, Optional<String> action, long afterNumber) {
  public static final AuditFilter ALL =
      new AuditFilter(Optional.empty(), Optional.empty(), Optional.empty(), 0);

  /**
   * The same filter for later records.
   *
   * @param number number of the last known record
   */
  public AuditFilter after(long number) {
    return new AuditFilter(actor, device, action, number);
  }

  /** Whether a record is selected. */
  public boolean matches(AuditRecord candidate) {
    AuditEvent event = candidate.event();
    return candidate.number() > afterNumber
        && actor.map(text -> event.actor().contains(text)).orElse(true)
        && device.map(id -> event.device().equals(id)).orElse(true)
        && action.map(name -> isOrBelongsTo(event.action(), name)).orElse(true);
  }

  private static boolean isOrBelongsTo(String action, String name) {
    return action.equals(name) || action.startsWith(name + ".");
  }
}
