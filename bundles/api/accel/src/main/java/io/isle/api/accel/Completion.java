package io.isle.api.accel;

/**
 * How a submission ended.
 *
 * @param status as {@link Context#status}
 * @param startNs when the device began, CLOCK_MONOTONIC; 0 if it never did
 * @param endNs when it ended
 * @param busyNs time on compute units, summed; 0 if not known
 * @param detail of the driver: 0, a negated code, or a count
 */
public record Completion(
    long point, int status, long startNs, long endNs, long busyNs, int detail) {}
