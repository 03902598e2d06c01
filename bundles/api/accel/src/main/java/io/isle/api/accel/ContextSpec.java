package io.isle.api.accel;

import io.isle.api.device.Priority;
import java.util.OptionalLong;

/**
 * What a context shall be (AccelContextLimits, 42.2.3).
 *
 * @param name for people; at most 64 characters
 * @param maxMemoryBytes device memory; 0 for no limit
 * @param maxExecutionUs limit of one submission in microseconds; absent for the class's default
 *     (5,000,000 compute, 16,667 graphics); 0 for none, which needs ACCEL_PREEMPT
 * @param guaranteedBandwidthUs 0
 * @param bandwidthPeriodUs 0
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
  /** Normal priority, no memory limit, default execution limit, 64 submissions of 4 KiB. */
  public static ContextSpec named(String name) {
    return new ContextSpec(name, Priority.NORMAL, 0, OptionalLong.empty(), 0, 0, 64, 4096, false);
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
