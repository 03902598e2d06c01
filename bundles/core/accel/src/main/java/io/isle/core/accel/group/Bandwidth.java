package io.isle.core.accel.group;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;

/**
 * Time of a whole device, with all of its compute units, in each period.
 *
 * @param quotaUs microseconds, {@value #MIN_US} to {@code periodUs}
 * @param periodUs microseconds, {@value #MIN_US} to {@value #MAX_PERIOD_US}
 */
public record Bandwidth(long quotaUs, long periodUs) {
  /** A period as in {@code cpu.max} is 1 ms to 1 s; devices have slower ones, too. */
  public static final long MIN_US = 1_000;

  public static final long MAX_PERIOD_US = 10_000_000;
  public static final long DEFAULT_PERIOD_US = 1_000_000;

  /**
   * Checks the ranges.
   *
   * @throws TenancyException ERANGE naming the limit
   */
  public Bandwidth {
    checkPeriod(periodUs);
    if (quotaUs < MIN_US || quotaUs > periodUs) {
      throw new TenancyException(
          Errno.ERANGE,
          "a quota of "
              + quotaUs
              + " us is not in "
              + MIN_US
              + ".."
              + periodUs
              + ", from 1 ms to the whole period");
    }
  }

  /**
   * Checks a period that may stand without a quota.
   *
   * @throws TenancyException ERANGE naming the limit
   */
  static void checkPeriod(long periodUs) {
    if (periodUs < MIN_US || periodUs > MAX_PERIOD_US) {
      throw new TenancyException(
          Errno.ERANGE,
          "a period of " + periodUs + " us is not in " + MIN_US + ".." + MAX_PERIOD_US);
    }
  }

  public Share share() {
    return Share.of(quotaUs, periodUs);
  }
}
