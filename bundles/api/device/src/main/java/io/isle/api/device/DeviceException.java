package io.isle.api.device;

import io.isle.api.base.IsleException;

/** A device is unknown, or a change of it was refused. */
public final class DeviceException extends IsleException {
  private static final long serialVersionUID = 1L;

  public DeviceException(int code, String message) {
    super(code, message, null);
  }

  public DeviceException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
