package io.isle.api.accel;

import io.isle.api.device.Priority;

/**
 * A snapshot of a context. Immutable.
 *
 * @param id core id, as text
 * @param name name of the context
 * @param tenant owner of the context
 * @param group group of the tenant
 * @param device id of the device
 * @param priority priority in force: the requested priority, or the group's priority at the opening
 * @param state open, interrupted (during a recovery of the device), lost or closed
 * @param memoryBytes device memory of the context
 * @param maxMemoryBytes limit of device memory; 0 for no limit
 * @param maxExecutionUs execution limit of a submission in microseconds; 0 for no limit
 * @param submitted submissions so far
 * @param completed ended submissions so far
 * @param failed submissions so far that ended with an error
 * @param pending waiting submissions
 * @param inFlight submissions on the device
 * @param busyNs device time so far in nanoseconds, summed over compute units
 * @param usage guarantee and usage of the device
 * @param estimate how long submissions were thought to take
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
    Usage usage,
    Estimate estimate) {
  /** A context without estimates. */
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
      long busyNs,
      Usage usage) {
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
        usage,
        Estimate.NONE);
  }

  /** A context without usage figures and estimates. */
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
