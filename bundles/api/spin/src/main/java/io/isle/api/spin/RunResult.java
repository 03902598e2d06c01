package io.isle.api.spin;

import java.util.List;

/**
 * What a run has done. Immutable.
 *
 * @param handlers name of the handlers
 * @param rules text form
 * @param packets that were read
 * @param unmatched packets that match no rules
 * @param sent frames of handlers
 * @param times of the handlers that there are, in their order
 * @param stats counters of the context
 * @param stopped why the run ended before the end of the packets; empty if it did not
 * @param notRun index of the first packet that was not run for this reason; -1 for none
 */
public record RunResult(
    String handlers,
    String rules,
    long packets,
    long unmatched,
    long sent,
    List<HandlerTimes> times,
    ContextStats stats,
    String stopped,
    long notRun) {
  public RunResult {
    times = List.copyOf(times);
  }

  /** Handlers that have not returned. */
  public long traps() {
    return times.stream().mapToLong(HandlerTimes::traps).sum();
  }
}
