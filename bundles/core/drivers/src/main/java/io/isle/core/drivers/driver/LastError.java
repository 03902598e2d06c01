package io.isle.core.drivers.driver;

import io.isle.api.driver.DriverException;
import java.util.Optional;

/** The failure of an opening with the last error that the driver logged meanwhile. */
public final class LastError {
  private LastError() {}

  /**
   * The failure with the error, if there is one that the failure does not say already.
   *
   * @param error one line without control characters
   */
  public static DriverException in(DriverException failure, Optional<String> error) {
    return error
        .filter(text -> !text.isBlank() && !String.valueOf(failure.getMessage()).contains(text))
        .map(
            text ->
                new DriverException(
                    failure.code(),
                    failure.getMessage() + "; the driver's last error: " + text,
                    failure))
        .orElse(failure);
  }
}
