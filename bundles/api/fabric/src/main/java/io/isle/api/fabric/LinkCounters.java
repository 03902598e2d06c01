package io.isle.api.fabric;

/**
 * Counters of a link since the begin of its node. Immutable.
 *
 * @param framesSent frames sent completely
 * @param bytesSent bytes of these frames
 * @param framesReceived frames delivered
 * @param bytesReceived bytes of these frames
 * @param lost frames reported as lost
 * @param repaired frames that were sent again and arrived
 * @param duplicates chunks or frames that arrived more than once
 * @param stale chunks of frames that were delivered or given up
 * @param overflowed chunks without room, because packets were taken too late
 * @param malformed chunks with another magic number, frames with a wrong checksum, and paths of
 *     another protocol
 * @param wrongTotals chunks of a frame with a number of chunks that it cannot have
 * @param wrongLengths chunks with a length that they cannot have
 * @param foreign datagrams of another source, and connections of a peer outside of {@code allow}
 * @param strays connections that were closed because another neighbour is connected, or because
 *     they sent nothing
 * @param cut packets that a disconnect cut off
 * @param paths paths that came up
 */
public record LinkCounters(
    long framesSent,
    long bytesSent,
    long framesReceived,
    long bytesReceived,
    long lost,
    long repaired,
    long duplicates,
    long stale,
    long overflowed,
    long malformed,
    long wrongTotals,
    long wrongLengths,
    long foreign,
    long strays,
    long cut,
    long paths) {}
