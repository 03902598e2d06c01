package io.isle.api.driver;

import io.isle.api.base.IsleException;

/** A driver refused or failed a control call. */
public final class DriverException extends IsleException {
  private static final long serialVersionUID = 1L;

  public DriverException(int code, String message) {
    super(code, message, null);
  }

  public DriverException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
