package io.isle.api.health;

import io.isle.api.base.IsleException;

/** The failure of a health call: a device gave no data, or refused a request. */
public final class HealthException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public HealthException(int code, String message) {
    super(code, message, null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public HealthException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
