package io.isle.api.accel;

/**
 * What a context, a group or a whole device was promised of a device and what it was given. Shares
 * and {@code givenNs} are those of whole devices: time on half of the compute units counts half.
 *
 * @param promisedPercent guaranteed share of the device in percent; 0 without a guarantee
 * @param givenPercent share that it had in the last {@code windowNs}
 * @param windowNs since the look before the last one, but at least about a second, or since it came
 * @param givenNs device time so far
 * @param busyNs device time so far, summed over compute units
 * @param submitted submissions so far
 * @param pending submissions that wait now
 * @param inFlight submissions on the device now
 * @param waitP50Ns how long the median submission waited before it was started; 0 without any
 * @param waitP99Ns how long 99 of 100 waited at most; 0 without any
 * @param memoryBytes device memory now
 * @param memoryPeakBytes most device memory at a time
 * @param preemptions how often its work was asked to leave the device: for a higher priority, for
 *     others' shares, or because its own budget or {@code compute.max} was used up
 * @param overruns how often a submission ran beyond its execution limit on a device that cannot
 *     stop it
 * @param throttledNs how long {@code compute.max} of the group or one above it held work back
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
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
