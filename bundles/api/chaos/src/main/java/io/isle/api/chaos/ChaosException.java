package io.isle.api.chaos;

import io.isle.api.base.IsleException;

/** A run that did not begin or did not end properly. */
public final class ChaosException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final int exitStatus;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param exitStatus a code of {@link io.isle.api.base.ExitStatus}
   * @param message for the user
   * @param cause the cause, or null
   */
  public ChaosException(int code, int exitStatus, String message, Throwable cause) {
    super(code, message, cause);
    this.exitStatus = exitStatus;
  }

  @Override
  public int exitStatus() {
    return exitStatus;
  }
}
