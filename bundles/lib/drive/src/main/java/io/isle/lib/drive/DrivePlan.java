package io.isle.lib.drive;

/**
 * How payloads travel. Immutable.
 *
 * @param positions of the packets
 * @param noReply number of packets without a requested reply, the first ones
 * @param window most packets whose replies are due, 1 or more
 * @param timeoutNs time without a reply after which the due ones count as lost
 */
public record DrivePlan(Positions positions, long noReply, int window, long timeoutNs) {}
