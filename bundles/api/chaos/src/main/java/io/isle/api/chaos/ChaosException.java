package io.isle.api.chaos;

import io.isle.api.base.IsleException;

/** A run did not begin or did not come to its end. */
public final class ChaosException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final int exitStatus;

  /**
   * @param exitStatus of {@link io.isle.api.base.ExitStatus}
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
