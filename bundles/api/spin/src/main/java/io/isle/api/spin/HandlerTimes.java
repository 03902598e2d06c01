package io.isle.api.spin;

/**
 * Times of a handler. Immutable.
 *
 * @param handler {@code header}, {@code packet} or {@code tail}
 * @param runs of the handler
 * @param traps runs that have not returned
 * @param ns times in nanoseconds
 * @param cycles the same in cycles of the HPUs' clock
 */
public record HandlerTimes(String handler, long runs, long traps, Spread ns, Spread cycles) {
  /**
   * The least and the longest are exact, the others within 1/128.
   *
   * @param p50 half of the times are not longer
   * @param p99 99 of 100 times are not longer
   */
  public record Spread(long min, long p50, long p99, long max) {}
}
