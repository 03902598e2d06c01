package io.isle.api.accel;

/**
 * The end of a submission. Immutable.
 *
 * @param point point of the submission on its context's timeline
 * @param status as {@link Context#status}
 * @param outcome kind of end; submissions with equal status may have different outcomes
 * @param startNs first start on the device, CLOCK_MONOTONIC; 0 if the work never started
 * @param endNs end of the work, CLOCK_MONOTONIC
 * @param busyNs time on compute units, summed over units and over all stretches of preempted and
 *     resumed work; 0 if unknown
 * @param detail detail of the driver: 0, a negated code, or a count
 */
public record Completion(
    long point,
    int status,
    CompletionStatus outcome,
    long startNs,
    long endNs,
    long busyNs,
    int detail) {}
