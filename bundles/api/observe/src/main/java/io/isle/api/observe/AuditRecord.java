package io.isle.api.observe;

/**
 * An event as it was written down.
 *
 * @param number grows by one from record to record, over restarts too
 * @param epochMs wall clock, milliseconds since 1970
 */
public record AuditRecord(long number, long epochMs, AuditEvent event) {}
