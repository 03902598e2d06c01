package io.isle.lib.jvm;

import java.time.Duration;

/**
 * Waits between the end of a process and the start of the next one: none after a long life, else
 * longer each time. No clock of its own. One thread.
 */
public final class RestartDelays {
  /** A life after which earlier ends do not count. */
  public static final Duration LONG_LIFE = Duration.ofSeconds(60);

  private static final int MOST_SHIFT = 10;

  private final Duration first;
  private final Duration most;
  private int ends;

  /**
   * @param first wait after the second end; doubles with each further one
   * @param most longest wait
   */
  public RestartDelays(Duration first, Duration most) {
    this.first = first;
    this.most = most;
  }

  /**
   * A process has ended, or could not be started.
   *
   * @param lived its life; zero if it could not be started
   * @return time before the next start
   */
  public Duration ended(Duration lived) {
    ends = lived.compareTo(LONG_LIFE) >= 0 ? 1 : ends + 1;
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
