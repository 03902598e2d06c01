package io.isle.api.accel;

import io.isle.api.device.Priority;

/**
 * A snapshot of a context.
 *
 * @param group of the tenant
 * @param state open, interrupted (its device recovers), lost or closed
 * @param busyNs device time so far, summed over compute units
 */
public record ContextInfo(
    String id,
    String name,
    String tenant,
    String group,
    String device,
    Priority priority,
    String state,
    long memoryBytes,
    long maxMemoryBytes,
    long maxExecutionUs,
    long submitted,
    long completed,
    long failed,
    int pending,
    int inFlight,
    long busyNs) {}
