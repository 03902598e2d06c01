package io.isle.api.driver;

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
 */
public record ContextArgs(
    int ownerPid,
    Priority priority,
    long maxMemoryBytes,
    long maxExecutionUs,
    long guaranteedBandwidthUs,
    long bandwidthPeriodUs) {}
