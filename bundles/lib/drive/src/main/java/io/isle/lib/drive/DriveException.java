package io.isle.lib.drive;

import io.isle.api.base.IsleException;

/** The failure of a drive. */
public final class DriveException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public DriveException(int code, String message) {
    super(code, message, null);
  }
}
