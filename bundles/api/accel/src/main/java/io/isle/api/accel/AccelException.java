package io.isle.api.accel;

import io.isle.api.base.IsleException;

/** The failure of a control call on accelerators, contexts, buffers or programs. */
public final class AccelException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public AccelException(int code, String message) {
    super(code, message, null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public AccelException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
