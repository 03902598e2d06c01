package io.isle.api.accel;

import io.isle.api.device.Priority;

/**
 * A snapshot of a context.
 *
 * @param group of the tenant
 * @param state open, interrupted (its device recovers), lost or closed
 * @param priority in force: the one that was asked for, or its group's when it was opened
 * @param busyNs device time so far, summed over compute units
 * @param usage promise and use of the device
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
    long busyNs,
    Usage usage) {
  /** Of a context whose use of the device nobody counts. */
  public ContextInfo(
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
      long busyNs) {
    this(
        id,
        name,
        tenant,
        group,
        device,
        priority,
        state,
        memoryBytes,
        maxMemoryBytes,
        maxExecutionUs,
        submitted,
        completed,
        failed,
        pending,
        inFlight,
        busyNs,
        Usage.NONE);
  }
}
