package io.isle.inference.engine.fallback;

/**
 * From when on it is the model that is wrong, and not a single group's data.
 *
 * @param outcomes a group with fewer does not count
 * @param percent more than so many of the groups that count have the same reason
 */
public record GroupLimits(long outcomes, int percent) {
  /** 200 outcomes, half of the groups. */
  public static final GroupLimits DEFAULT = new GroupLimits(200, 50);

  /** Checks the ranges. */
  public GroupLimits {
    if (outcomes < 1 || percent < 0 || percent > 99) {
      throw new IllegalArgumentException("groups without outcomes, or percent not 0 to 99");
    }
  }

  /** Whether a group with so many outcomes counts. */
  public boolean isRipe(long total) {
    return total >= outcomes;
  }

  /** Whether so many of the groups that count are too many. */
  public boolean isModels(long same, long ripe) {
    return 100 * same > percent * ripe;
  }
}
