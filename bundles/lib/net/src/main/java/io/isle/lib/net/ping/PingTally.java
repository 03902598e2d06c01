package io.isle.lib.net.ping;

/**
 * What became of requests. Immutable.
 *
 * @param sent requests
 * @param answered requests with a right answer
 * @param lost requests without one
 * @param repeated right answers behind the first one of a request
 * @param wrong answers to a client's requests with other bytes
 */
public record PingTally(long sent, long answered, long lost, long repeated, long wrong) {
  /** Whether each request has one answer, and no other answer came. */
  public boolean isExact() {
    return lost == 0 && repeated == 0 && wrong == 0;
  }

  /** Both together. */
  public PingTally plus(PingTally other) {
    return new PingTally(
        sent + other.sent,
        answered + other.answered,
        lost + other.lost,
        repeated + other.repeated,
        wrong + other.wrong);
  }
}
