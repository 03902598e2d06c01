package io.isle.api.tenancy;

import io.isle.api.base.IsleException;

/** A capability is missing, revoked or too narrow. */
public final class TenancyException extends IsleException {
  private static final long serialVersionUID = 1L;

  public TenancyException(int code, String message) {
    super(code, message, null);
  }
}
