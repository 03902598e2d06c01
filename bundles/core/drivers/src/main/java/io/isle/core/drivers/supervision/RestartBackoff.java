package io.isle.core.drivers.supervision;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How long to wait before the process of a group that has ended is started anew: not at all for the
 * first, longer for each that follows within a minute, and after the fifth the group is let go and
 * gets none for a while. No clock of its own. Thread-safe.
 */
final class RestartBackoff {
  static final int MOST = 5;
  static final Duration WINDOW = Duration.ofSeconds(60);
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final int LONGEST_SHIFT = 2;

  private final Map<String, Ends> byGroup = new HashMap<>();

  private static final class Ends {
    final Deque<Long> times = new ArrayDeque<>();
    boolean paused;
    long pausedUntil;
    int pauses;
  }

  /**
   * The process of a group has ended, or could not be had.
   *
   * @return nanoseconds until it may be started again; -1 when the group is let go
   */
  synchronized long ended(String group, long nowNs) {
    forget(nowNs);
    Ends ends = byGroup.computeIfAbsent(group, name -> new Ends());
    ends.times.addLast(nowNs);
    int count = ends.times.size();
    if (count >= MOST) {
      ends.paused = true;
      ends.pausedUntil = nowNs + (FIRST_PAUSE.toNanos() << Math.min(ends.pauses++, LONGEST_SHIFT));
      return -1;
    }
    return count == 1 ? 0 : FIRST_DELAY.toNanos() << count - 2;
  }

  /**
   * A process of the group is to be started.
   *
   * @throws DriverException EAGAIN while the group gets none
   */
  synchronized void check(String group, long nowNs) {
    Ends ends = byGroup.get(group);
    if (ends != null && ends.paused && ends.pausedUntil - nowNs > 0) {
      throw new DriverException(
          Errno.EAGAIN,
          "the driver process of group "
              + group
              + " ended "
              + ends.times.size()
              + " times in "
              + WINDOW.toSeconds()
              + " s; the next process starts in "
              + (Duration.ofNanos(ends.pausedUntil - nowNs).toSeconds() + 1)
              + " s at the earliest");
    }
  }

  private void forget(long nowNs) {
    for (Ends ends : byGroup.values()) {
      while (!ends.times.isEmpty() && nowNs - ends.times.peekFirst() > WINDOW.toNanos()) {
        ends.times.removeFirst();
      }
    }
    byGroup
        .values()
        .removeIf(ends -> ends.times.isEmpty() && !(ends.paused && ends.pausedUntil - nowNs > 0));
  }
}
