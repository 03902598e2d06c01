package io.isle.lib.signing;

import io.isle.api.base.IsleException;

/** A key file or a signature is malformed (EINVAL), or does not hold (EACCES). */
public final class SigningException extends IsleException {
  private static final long serialVersionUID = 1L;

  public SigningException(int code, String message) {
    super(code, message, null);
  }

  public SigningException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
