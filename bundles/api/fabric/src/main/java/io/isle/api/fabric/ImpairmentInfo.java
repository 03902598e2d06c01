package io.isle.api.fabric;

/**
 * A relay that impairs a path. Immutable. Counters are of both directions, since the begin of the
 * relay; of streams, in pieces as read.
 *
 * @param name its name
 * @param listen address that the relay listens on
 * @param to address that the relay passes bytes on to
 * @param up whether the relay listens
 * @param reason the failure and its remedy, in words; empty without one
 * @param connections open connections of streams; sources of datagrams
 * @param passed pieces or datagrams that were passed on
 * @param bytes bytes of these
 * @param lost datagrams that were lost on purpose
 * @param duplicated datagrams that were passed on twice
 * @param reordered datagrams that were passed on late
 * @param corrupted pieces or datagrams with a changed bit
 * @param swallowed datagrams that a black hole took
 * @param overflowed datagrams that were dropped because the relay holds too many bytes
 * @param cuts connections that were cut
 */
public record ImpairmentInfo(
    String name,
    String listen,
    String to,
    boolean up,
    String reason,
    int connections,
    long passed,
    long bytes,
    long lost,
    long duplicated,
    long reordered,
    long corrupted,
    long swallowed,
    long overflowed,
    long cuts) {}
