package io.isle.api.chaos;

import io.isle.api.base.ExitStatus;
import java.util.Locale;
import java.util.Set;

/**
 * What to run.
 *
 * @param seed of the schedule and of the workload: equal seeds, equal schedules
 * @param minutes above 0, at most {@link #MAX_MINUTES}; part of a minute is fine
 * @param plants defects to put into what the checker sees
 */
public record ChaosRequest(long seed, double minutes, Set<Plant> plants) {
  public static final double MAX_MINUTES = 24 * 60;

  /** A defect of the platform, pretended so that one sees the checker find it. */
  public enum Plant {
    /** A completion that never came. */
    LOST,
    /** A completion that came twice. */
    DOUBLED,
    /** A result that is not what was computed. */
    WRONG,
    /** A handle that stays open. */
    LEAK;

    /** Lower case, as on the command line. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ChaosRequest {
    plants = Set.copyOf(plants);
    if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
      throw new ChaosException(
          io.isle.api.base.Errno.EINVAL,
          ExitStatus.USAGE,
          "--minutes " + minutes + ": must be above 0 and at most " + (long) MAX_MINUTES,
          null);
    }
  }
}
