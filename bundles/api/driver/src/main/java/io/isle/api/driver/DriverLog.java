package io.isle.api.driver;

import java.util.Optional;

/**
 * Extension: the newest warnings and errors that a driver logged. {@code core/drivers} provides it
 * for every device; drivers do not implement it. Any thread may call it; never blocks.
 */
public interface DriverLog {
  /**
   * The newest line logged in an interval. Only a few older lines are kept. A line is short and has
   * no control characters.
   *
   * @param fromNs begin, CLOCK_MONOTONIC, inclusive
   * @param toNs end, CLOCK_MONOTONIC, inclusive
   */
  Optional<String> newest(long fromNs, long toNs);
}
