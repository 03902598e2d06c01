package io.isle.api.device;

import io.isle.api.base.IsleException;

/** The failure of a device call: an unknown device, or a refused change. */
public final class DeviceException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public DeviceException(int code, String message) {
    super(code, message, null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public DeviceException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
