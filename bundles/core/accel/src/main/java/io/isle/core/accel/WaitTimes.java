package io.isle.core.accel;

import org.HdrHistogram.Histogram;

/**
 * How long submissions of one context waited until they were started, with two digits. Recorded by
 * the agent, without allocation; read by any thread: counts that are written meanwhile may be in it
 * or not.
 */
final class WaitTimes {
  /** Longer waits count as this: an hour. */
  private static final long MOST_NS = 3_600_000_000_000L;

  /** Shorter ones are not told from each other. */
  private static final long LEAST_NS = 256;

  private static final int DIGITS = 2;
  private static final double MEDIAN = 50;
  private static final double SLOWEST = 99;

  private final Histogram histogram = histogram();

  /**
   * A snapshot, or several together.
   *
   * @param p50Ns 0 when there is none
   */
  record Waits(long p50Ns, long p99Ns) {
    static Waits of(Histogram histogram) {
      return histogram.getTotalCount() == 0
          ? new Waits(0, 0)
          : new Waits(
              histogram.getValueAtPercentile(MEDIAN), histogram.getValueAtPercentile(SLOWEST));
    }
  }

  /** An empty one, to add others to. */
  static Histogram histogram() {
    return new Histogram(LEAST_NS, MOST_NS, DIGITS);
  }

  /** Agent: a submission of the context starts that could have started so long ago. */
  void record(long waitNs) {
    histogram.recordValue(Math.clamp(waitNs, 0, MOST_NS));
  }

  /** Adds what was recorded so far. */
  void addTo(Histogram sum) {
    sum.add(histogram);
  }

  Waits waits() {
    return Waits.of(histogram.copy());
  }
}
