package io.isle.apps.chaos.check;

import java.util.List;

/** Quantiles by nearest rank. */
public final class Quantiles {
  private Quantiles() {}

  /**
   * The smallest value that is not below the share {@code q} of all.
   *
   * @param q above 0, at most 1
   * @return 0 without values
   */
  public static long of(List<Long> values, double q) {
    if (values.isEmpty()) {
      return 0;
    }
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.ceil(q * sorted.size()) - 1);
  }
}
