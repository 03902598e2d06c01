package io.isle.api.accel;

import io.isle.api.base.IsleException;

/** A control call on accelerators, contexts, buffers or programs failed. */
public final class AccelException extends IsleException {
  private static final long serialVersionUID = 1L;

  public AccelException(int code, String message) {
    super(code, message, null);
  }

  public AccelException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
