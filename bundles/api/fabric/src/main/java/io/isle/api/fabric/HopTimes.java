package io.isle.api.fabric;

/**
 * Times of packets from a node to its next node. Immutable.
 *
 * @param p50Ns nanoseconds that half of the packets needed at most
 * @param p99Ns nanoseconds that 99 of 100 packets needed at most
 */
public record HopTimes(long p50Ns, long p99Ns) {}
