package io.isle.api.driver;

import io.isle.api.base.Errno;

/**
 * Limits for the handlers of one context.
 *
 * @param handlerMicros CPU time of a handler in microseconds, 1 to 10000000; 20 times as much of
 *     any time is a limit, too
 * @param hostWaitMillis time that a handler may wait for the host in ms, 0 to 3600000
 * @param traps number of traps in a row after which the context takes no tasks; 0 for any number
 * @param spinMicros time that an idle HPU spins before it sleeps in microseconds, 0 to 1000000
 */
public record HpuLimits(int handlerMicros, int hostWaitMillis, int traps, int spinMicros) {
  /** Longest CPU time of a handler in microseconds. */
  public static final int MAX_HANDLER_MICROS = 10_000_000;

  /** Longest time that a handler waits for the host in ms. */
  public static final int MAX_HOST_WAIT_MILLIS = 3_600_000;

  /** Longest time that an idle HPU spins in microseconds. */
  public static final int MAX_SPIN_MICROS = 1_000_000;

  /**
   * @throws DriverException EINVAL with the field and its limits
   */
  public HpuLimits {
    check("handler_limit_us", handlerMicros, 1, MAX_HANDLER_MICROS);
    check("host_wait_ms", hostWaitMillis, 0, MAX_HOST_WAIT_MILLIS);
    check("trap_limit", traps, 0, Integer.MAX_VALUE);
    check("hpu_spin_us", spinMicros, 0, MAX_SPIN_MICROS);
  }

  private static void check(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw new DriverException(
          Errno.EINVAL, field + ": " + value + " is not in the range " + least + " to " + most);
    }
  }
}
