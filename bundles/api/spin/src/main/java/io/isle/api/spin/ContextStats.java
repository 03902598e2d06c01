package io.isle.api.spin;

import java.util.List;

/**
 * Counters of an execution context, since it was attached. Immutable.
 *
 * @param packets that were taken
 * @param bytes of these packets
 * @param messages that have ended
 * @param aborted messages
 * @param lost packets that were taken, and lost in a recovery
 * @param droppedLength packets longer than a slot
 * @param droppedSlots packets without a slot
 * @param droppedRecovery packets during a recovery
 * @param tasks handlers that have run
 * @param traps handlers that have not returned
 * @param hpuNs time of the HPUs
 * @param sends frames that handlers have sent
 * @param sentBytes of these frames
 * @param hostRequests requests to the host
 * @param failed calls of handlers that named memory outside of the context's
 * @param textLost bytes of text that did not fit
 * @param counters that handlers count
 */
public record ContextStats(
    long packets,
    long bytes,
    long messages,
    long aborted,
    long lost,
    long droppedLength,
    long droppedSlots,
    long droppedRecovery,
    long tasks,
    long traps,
    long hpuNs,
    long sends,
    long sentBytes,
    long hostRequests,
    long failed,
    long textLost,
    List<Counter> counters) {
  public ContextStats {
    counters = List.copyOf(counters);
  }

  /** Packets that match and were not taken. */
  public long drops() {
    return droppedLength + droppedSlots + droppedRecovery;
  }

  /**
   * A counter of the handlers ({@code push_counter}).
   *
   * @param sum of the values, modulo 2^32
   * @param count number of the values, modulo 2^32
   */
  public record Counter(long sum, long count) {}
}
