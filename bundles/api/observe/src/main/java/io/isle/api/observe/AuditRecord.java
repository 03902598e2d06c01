package io.isle.api.observe;

/**
 * A stored event. Immutable.
 *
 * @param number grows by one from record to record, across restarts
 * @param epochMs time by the wall clock, in milliseconds since 1970
 * @param event the event
 */
public record AuditRecord(long number, long epochMs, AuditEvent event) {}
