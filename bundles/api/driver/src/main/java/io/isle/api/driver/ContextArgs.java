package io.isle.api.driver;

import io.isle.api.base.GroupNames;
import io.isle.api.device.Priority;

/**
 * The arguments of a new context (AccelContextLimits, 42.2.3).
 *
 * @param ownerPid process id of the tenant
 * @param priority for devices with queues of their own
 * @param maxMemoryBytes limit of device memory; 0 for no limit
 * @param maxExecutionUs execution limit of a submission in microseconds; 0 for no limit
 * @param guaranteedBandwidthUs guarantee in microseconds a period; 0 for best effort
 * @param bandwidthPeriodUs period of the guarantee in microseconds
 * @param group group of the tenant, for drivers in Java and the core; not a part of the driver ABI
 */
public record ContextArgs(
    int ownerPid,
    Priority priority,
    long maxMemoryBytes,
    long maxExecutionUs,
    long guaranteedBandwidthUs,
    long bandwidthPeriodUs,
    String group) {
  /** A context in the group {@link GroupNames#DEFAULT}. */
  public ContextArgs(
      int ownerPid,
      Priority priority,
      long maxMemoryBytes,
      long maxExecutionUs,
      long guaranteedBandwidthUs,
      long bandwidthPeriodUs) {
    this(
        ownerPid,
        priority,
        maxMemoryBytes,
        maxExecutionUs,
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        GroupNames.DEFAULT);
  }
}
