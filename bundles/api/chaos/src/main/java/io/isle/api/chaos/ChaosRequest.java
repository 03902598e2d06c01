package io.isle.api.chaos;

import io.isle.api.base.ExitStatus;
import java.util.Locale;
import java.util.Set;

/**
 * The parameters of a run. Immutable.
 *
 * @param seed seed of the schedule and of the workload: equal seeds give equal schedules
 * @param minutes above 0, at most {@link #MAX_MINUTES}; fractions are allowed
 * @param plants defects to simulate in the input of the checker
 */
public record ChaosRequest(long seed, double minutes, Set<Plant> plants) {
  /** Longest run in minutes. */
  public static final double MAX_MINUTES = 24 * 60;

  /** A simulated defect of the platform, which the checker must find. */
  public enum Plant {
    /** A missing completion. */
    LOST,
    /** A doubled completion. */
    DOUBLED,
    /** A changed result. */
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
