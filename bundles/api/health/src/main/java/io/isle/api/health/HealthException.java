package io.isle.api.health;

import io.isle.api.base.IsleException;

/** A device did not say how it fares, or what was asked of it was refused. */
public final class HealthException extends IsleException {
  private static final long serialVersionUID = 1L;

  public HealthException(int code, String message) {
    super(code, message, null);
  }

  public HealthException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
