package io.isle.core.accel.usage;

import org.HdrHistogram.Histogram;

/**
 * How long submissions of one context waited until they were started, with two digits. Recorded by
 * the agent, without allocation; read by any thread: counts that are written meanwhile may be in it
 * or not.
 */
public final class WaitTimes {
  /** Longer waits count as this: an hour. */
  private static final long MOST_NS = 3_600_000_000_000L;

  /** Shorter ones are not told from each other. */
  private static final long LEAST_NS = 256;

  private static final int DIGITS = 2;
  private static final double MEDIAN = 50;
  private static final double SLOWEST = 99;

  /** By slot of a point, when the agent saw it. */
  private final long[] queued;

  private final Histogram histogram = histogram();

  /**
   * @param depth queue depth of the context, a power of two
   */
  public WaitTimes(int depth) {
    queued = new long[depth];
  }

  /**
   * A snapshot, or several together.
   *
   * @param p50Ns 0 when there is none
   */
  public record Waits(long p50Ns, long p99Ns) {
    public static Waits of(Histogram histogram) {
      return histogram.getTotalCount() == 0
          ? new Waits(0, 0)
          : new Waits(
              histogram.getValueAtPercentile(MEDIAN), histogram.getValueAtPercentile(SLOWEST));
    }
  }

  /** An empty one, to add others to. */
  public static Histogram histogram() {
    return new Histogram(LEAST_NS, MOST_NS, DIGITS);
  }

  /** Agent: it has seen the submission, which waits for its turn from now on. */
  public void queued(long point, long ns) {
    queued[slot(point)] = ns;
  }

  /** Agent: the submission, which was {@link #queued}, started then. */
  public void started(long point, long ns) {
    histogram.recordValue(Math.clamp(ns - queued[slot(point)], 0, MOST_NS));
  }

  private int slot(long point) {
    return (int) (point - 1) & queued.length - 1;
  }

  /** Adds what was recorded so far. */
  public void addTo(Histogram sum) {
    sum.add(histogram);
  }

  public Waits waits() {
    return Waits.of(histogram.copy());
  }
}
