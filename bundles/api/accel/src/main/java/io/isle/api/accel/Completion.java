package io.isle.api.accel;

/**
 * How a submission ended.
 *
 * @param status as {@link Context#status}
 * @param outcome how it came to that: two submissions may have the same status and differ here
 * @param startNs when the device first began, CLOCK_MONOTONIC; 0 if it never did
 * @param endNs when it ended
 * @param busyNs time on compute units, summed, over all stretches of one that was preempted and
 *     resumed; 0 if not known
 * @param detail of the driver: 0, a negated code, or a count
 */
public record Completion(
    long point,
    int status,
    CompletionStatus outcome,
    long startNs,
    long endNs,
    long busyNs,
    int detail) {}
