package io.isle.api.driver;

import io.isle.api.base.IsleException;

/** The failure or refusal of a control call by a driver. */
public final class DriverException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public DriverException(int code, String message) {
    super(code, message, null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public DriverException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
