package io.isle.lib.jvm;

import java.time.Duration;

/**
 * Waits between the end of a process and the start of the next one: none after a long life, else
 * longer each time. No clock of its own. One thread.
 */
public final class RestartDelays {
  /** A life after which earlier ends usually do not count. */
  public static final Duration LONG_LIFE = Duration.ofSeconds(60);

  private static final int MOST_SHIFT = 10;

  private final Duration first;
  private final Duration most;
  private final Duration longLife;
  private int ends;

  /**
   * @param first wait after the second end; doubles with each further one
   * @param most longest wait
   */
  public RestartDelays(Duration first, Duration most) {
    this(first, most, LONG_LIFE);
  }

  /**
   * As the other constructor, with a life after which earlier ends do not count.
   *
   * @param longLife in place of {@link #LONG_LIFE}
   */
  public RestartDelays(Duration first, Duration most, Duration longLife) {
    this.first = first;
    this.most = most;
    this.longLife = longLife;
  }

  /**
   * A process has ended, or could not be started.
   *
   * @param lived its life; zero if it could not be started
   * @return time before the next start
   */
  public Duration ended(Duration lived) {
    ends = lived.compareTo(longLife) >= 0 ? 1 : ends + 1;
    if (ends == 1) {
      return Duration.ZERO;
    }
    Duration wait = first.multipliedBy(1L << Math.min(ends - 2, MOST_SHIFT));
    return wait.compareTo(most) < 0 ? wait : most;
  }

  /** Ends since the last long life. */
  public int ends() {
    return ends;
  }
}
