package io.isle.api.accel;

import io.isle.api.device.Priority;
import java.util.OptionalLong;

/**
 * The requested properties of a context (AccelContextLimits, 42.2.3). Immutable.
 *
 * @param name a name for output, at most 64 characters
 * @param priority null for the priority of the capability's group; realtime requires
 *     ACCEL_CONTEXT_RT and a guarantee of the context or its group
 * @param maxMemoryBytes limit of device memory; 0 for no limit. The limits of capability and group
 *     apply in addition
 * @param maxExecutionUs execution limit of one submission in microseconds; empty for the default of
 *     the device class (5,000,000 for compute, 16,667 for graphics); 0 for no limit, which requires
 *     ACCEL_PREEMPT
 * @param guaranteedBandwidthUs guarantee in microseconds of the whole device in each period, 1000
 *     to the period, taken from the group's guarantee; 0 for no guarantee. If neither the group nor
 *     a group above has a guarantee, this field requires ACCEL_CONTEXT_RT
 * @param bandwidthPeriodUs period of the guarantee in microseconds, 1000 to 10,000,000; 0 for one
 *     second
 * @param queueDepth limit of submissions, pending or in flight: a power of two, 2 to 4096
 * @param commandBytes longest envelope in bytes: 256 to the device's limit. An envelope has 64
 *     bytes, 16 for each wait, 32 for each binding, programs included, and its operations: 40 for a
 *     copy, 32 for a fill, 32 and 16 for each argument for a dispatch. A dispatch with a work-group
 *     size, an offset, or arguments of local memory or by bytes has 96, 16 for each argument, and
 *     the bytes rounded up to a multiple of 8
 * @param keepPending whether pending submissions survive a crash of the driver; otherwise they end
 *     with EINTR
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
   * Bytes of the longest envelope with one dispatch: 8 waits, 64 bindings, 64 arguments, 1024 bytes
   * of arguments.
   */
  public static final int MAX_DISPATCH_BYTES = 4384;

  /**
   * A context with the priority of its group, no memory limit and no guarantee of its own, the
   * default execution limit, and 64 submissions of 4 KiB.
   */
  public static ContextSpec named(String name) {
    return new ContextSpec(name, null, 0, OptionalLong.empty(), 0, 0, 64, 4096, false);
  }

  /** A copy with this priority. */
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

  /** A copy with this memory limit. */
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

  /** A copy with this execution limit. */
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

  /** A copy with a guarantee of its own; see the fields. */
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

  /** A copy with this queue depth and this envelope size in bytes. */
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

  /** A copy with this choice for pending submissions. */
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
