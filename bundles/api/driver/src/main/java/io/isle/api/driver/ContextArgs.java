package io.isle.api.driver;

import io.isle.api.base.GroupNames;
import io.isle.api.device.Priority;

/**
 * Arguments of a new context (AccelContextLimits, 42.2.3).
 *
 * @param ownerPid process of the tenant
 * @param priority for devices with queues of their own
 * @param maxMemoryBytes 0 for no limit
 * @param maxExecutionUs 0 for no limit
 * @param guaranteedBandwidthUs 0 for best effort
 * @param bandwidthPeriodUs period of the guarantee
 * @param group of the tenant; a name for drivers in Java and the core, no part of the driver ABI
 */
public record ContextArgs(
    int ownerPid,
    Priority priority,
    long maxMemoryBytes,
    long maxExecutionUs,
    long guaranteedBandwidthUs,
    long bandwidthPeriodUs,
    String group) {
  /** In the group {@link GroupNames#DEFAULT}. */
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
