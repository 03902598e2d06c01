package io.isle.api.driver;

import java.util.Optional;

/**
 * Extension: what the driver logged last as a warning or an error. The owner of drivers has it for
 * every device; drivers do not offer it. Any thread; never blocks.
 */
public interface DriverLog {
  /**
   * The newest line that was logged in a time; of those before it only a few are known. Without
   * control characters, and short.
   *
   * @param fromNs CLOCK_MONOTONIC, included
   * @param toNs included
   */
  Optional<String> newest(long fromNs, long toNs);
}
