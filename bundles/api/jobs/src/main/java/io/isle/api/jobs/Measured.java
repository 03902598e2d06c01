package io.isle.api.jobs;

import java.util.List;

/**
 * What a job measured of its streams.
 *
 * @param groups those of the streams that began together at a barrier, in the order of the file
 * @param periodic steps that submit once in each period, in the order of the file
 */
public record Measured(List<GroupShare> groups, List<PeriodicTimes> periodic) {
  /** Of a job that measures nothing. */
  public static final Measured NONE = new Measured(List.of(), List.of());

  public Measured {
    groups = List.copyOf(groups);
    periodic = List.copyOf(periodic);
  }

  /**
   * What a group of tenants had of its device, from the opening of a barrier until the first of its
   * steps had no more work to submit. Times are in nanoseconds.
   *
   * @param promised by the group's {@code compute.guarantee}, in percent of the device; NaN without
   *     one
   * @param measured its part of the processor time that the device's workers spent on work of all
   *     groups at the barrier, in percent; NaN when that is not known
   * @param bytes input that was worked through
   * @param heldBytes device memory that its streams took besides, with {@code hold}
   * @param cpuNs processor time that the device's workers spent on its work; -1 when not known
   * @param idleNs time without any work of the group: submitted, and not yet ended
   * @param windowNs how long it was measured
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
   * How the submissions of a step kept to their period. Times are in nanoseconds.
   *
   * @param misses submissions that the device ended later than one period after their release, or
   *     did not end well
   * @param p50Ns from release to the device's end, half of them
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
