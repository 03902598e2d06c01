package io.isle.api.accel;

/**
 * Guarantee and usage of a device by a context, a group, or all tenants together. Shares and {@code
 * givenNs} refer to the whole device: time on half of the compute units counts half. Immutable.
 *
 * @param promisedPercent guaranteed share of the device in percent; 0 without a guarantee
 * @param givenPercent received share in the last {@code windowNs}, in percent
 * @param windowNs length of the interval of {@code givenPercent}: since the second-last reading,
 *     but at least about a second, or since the begin
 * @param givenNs received device time so far
 * @param busyNs received device time so far, summed over compute units
 * @param submitted submissions so far
 * @param pending waiting submissions
 * @param inFlight submissions on the device
 * @param waitP50Ns median waiting time of submissions before their start; 0 without submissions
 * @param waitP99Ns 99th percentile of these waiting times; 0 without submissions
 * @param memoryBytes current device memory
 * @param memoryPeakBytes maximum of device memory so far
 * @param preemptions number of requests to leave the device: for a higher priority, for the shares
 *     of others, or because the own budget or {@code compute.max} was used up
 * @param overruns number of submissions that exceeded their execution limit on a device that cannot
 *     stop them
 * @param throttledNs time in which {@code compute.max} of the group or a group above held work back
 */
public record Usage(
    double promisedPercent,
    double givenPercent,
    long windowNs,
    long givenNs,
    long busyNs,
    long submitted,
    long pending,
    long inFlight,
    long waitP50Ns,
    long waitP99Ns,
    long memoryBytes,
    long memoryPeakBytes,
    long preemptions,
    long overruns,
    long throttledNs) {
  /** No guarantee and no usage. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
