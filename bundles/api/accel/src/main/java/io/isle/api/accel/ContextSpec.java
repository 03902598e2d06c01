package io.isle.api.accel;

import io.isle.api.device.Priority;
import java.util.OptionalLong;

/**
 * What a context shall be (AccelContextLimits, 42.2.3).
 *
 * @param name for people; at most 64 characters
 * @param priority null for the one of the capability's group; realtime needs ACCEL_CONTEXT_RT and a
 *     guarantee, its own or its group's
 * @param maxMemoryBytes device memory; 0 for no limit. Those of the capability and of the group
 *     hold besides
 * @param maxExecutionUs limit of one submission in microseconds; absent for the class's default
 *     (5,000,000 compute, 16,667 graphics); 0 for none, which needs ACCEL_PREEMPT
 * @param guaranteedBandwidthUs microseconds of the whole device in each period, 1000 to the period,
 *     cut out of what the group is guaranteed; 0 for none. Where neither it nor a group above it is
 *     guaranteed anything, it needs {@code ACCEL_CONTEXT_RT}
 * @param bandwidthPeriodUs the period of that in microseconds, 1000 to 10,000,000; 0 for a second
 * @param queueDepth submissions that may be pending or in flight: a power of two, 2 to 4096
 * @param commandBytes longest envelope: 256 to the device's limit
 * @param keepPending whether submissions that have not started survive a crash of the driver; else
 *     they end with EINTR
 */
public record ContextSpec(
    String name,
    Priority priority,
    long maxMemoryBytes,
    OptionalLong maxExecutionUs,
    long guaranteedBandwidthUs,
    long bandwidthPeriodUs,
    int queueDepth,
    int commandBytes,
    boolean keepPending) {
  /**
   * The priority of its group, no memory limit of its own, no guarantee of its own, default
   * execution limit, 64 submissions of 4 KiB.
   */
  public static ContextSpec named(String name) {
    return new ContextSpec(name, null, 0, OptionalLong.empty(), 0, 0, 64, 4096, false);
  }

  public ContextSpec withPriority(Priority value) {
    return new ContextSpec(
        name,
        value,
        maxMemoryBytes,
        maxExecutionUs,
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        queueDepth,
        commandBytes,
        keepPending);
  }

  public ContextSpec withMaxMemoryBytes(long value) {
    return new ContextSpec(
        name,
        priority,
        value,
        maxExecutionUs,
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        queueDepth,
        commandBytes,
        keepPending);
  }

  public ContextSpec withMaxExecutionUs(long value) {
    return new ContextSpec(
        name,
        priority,
        maxMemoryBytes,
        OptionalLong.of(value),
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        queueDepth,
        commandBytes,
        keepPending);
  }

  /** With a guarantee of its own; see the fields. */
  public ContextSpec withGuarantee(long bandwidthUs, long periodUs) {
    return new ContextSpec(
        name,
        priority,
        maxMemoryBytes,
        maxExecutionUs,
        bandwidthUs,
        periodUs,
        queueDepth,
        commandBytes,
        keepPending);
  }

  public ContextSpec withQueue(int depth, int bytes) {
    return new ContextSpec(
        name,
        priority,
        maxMemoryBytes,
        maxExecutionUs,
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        depth,
        bytes,
        keepPending);
  }

  public ContextSpec withKeepPending(boolean value) {
    return new ContextSpec(
        name,
        priority,
        maxMemoryBytes,
        maxExecutionUs,
        guaranteedBandwidthUs,
        bandwidthPeriodUs,
        queueDepth,
        commandBytes,
        value);
  }
}
