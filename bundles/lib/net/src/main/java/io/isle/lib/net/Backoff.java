package io.isle.lib.net;

import java.util.random.RandomGenerator;

/**
 * Delays between attempts: from 50 ms, doubled by each attempt, to 2 s. A random part of up to one
 * half keeps nodes that failed together from trying together. One thread at a time.
 */
public final class Backoff {
  /** Longest first delay, in nanoseconds. */
  public static final long FIRST_NS = 50_000_000L;

  /** Longest delay, in nanoseconds. */
  public static final long MOST_NS = 2_000_000_000L;

  private final RandomGenerator random;
  private long limit = FIRST_NS;

  /**
   * Begins with the shortest delay.
   *
   * @param random source of the random part
   */
  public Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The delay until the next attempt in nanoseconds: half of the present limit or more. */
  public long next() {
    long delay = limit / 2 + random.nextLong(limit / 2 + 1);
    limit = Math.min(MOST_NS, 2 * limit);
    return delay;
  }

  /** Begins with the shortest delay again, after a success. */
  public void reset() {
    limit = FIRST_NS;
  }
}
