package io.isle.api.fabric;

import io.isle.api.base.IsleException;

/** The failure of a control call on rings, nodes or transports. */
public final class RingException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public RingException(int code, String message) {
    super(code, message, null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public RingException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
