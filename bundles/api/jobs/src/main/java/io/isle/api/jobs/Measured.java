package io.isle.api.jobs;

import java.util.List;

/**
 * Measurements of a job's streams. Immutable.
 *
 * @param groups groups of the streams that began together at a barrier, in the order of the file
 * @param periodic steps with one submission in each period, in the order of the file
 */
public record Measured(List<GroupShare> groups, List<PeriodicTimes> periodic) {
  /** No measurements. */
  public static final Measured NONE = new Measured(List.of(), List.of());

  public Measured {
    groups = List.copyOf(groups);
    periodic = List.copyOf(periodic);
  }

  /**
   * The share of a group in its device, from the begin of a barrier until the first step of the
   * barrier had no more work to submit. Times are in nanoseconds.
   *
   * @param name name of the group
   * @param promised {@code compute.guarantee} of the group, in percent of the device; NaN without a
   *     guarantee
   * @param measured the group's part of the processor time that the device's workers spent on all
   *     groups at the barrier, in percent; NaN if unknown
   * @param bytes processed input
   * @param heldBytes additional device memory of its streams by {@code hold}
   * @param cpuNs processor time that the device's workers spent on the group's work; -1 if unknown
   * @param idleNs time without any work of the group, submitted and not yet ended
   * @param windowNs duration of the measurement
   */
  public record GroupShare(
      String name,
      double promised,
      double measured,
      long bytes,
      long heldBytes,
      long cpuNs,
      long idleNs,
      long windowNs) {}

  /**
   * Latencies of a step with a period, from release to the end on the device. Times are in
   * nanoseconds.
   *
   * @param stream name of the stream
   * @param step name of the step
   * @param priority priority of the stream
   * @param periodNs the period
   * @param submissions number of submissions
   * @param misses submissions that ended later than one period after their release, or with an
   *     error
   * @param p50Ns median latency
   * @param p99Ns 99th percentile
   * @param maxNs maximum
   */
  public record PeriodicTimes(
      String stream,
      String step,
      String priority,
      long periodNs,
      long submissions,
      long misses,
      long p50Ns,
      long p99Ns,
      long maxNs) {}
}
