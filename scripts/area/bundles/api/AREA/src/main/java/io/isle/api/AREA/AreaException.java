package io.isle.api.AREA;

import io.isle.api.base.IsleException;

/** A call of {@link Area} was refused. */
public final class AreaException extends IsleException {
  private static final long serialVersionUID = 1L;

  public AreaException(int code, String message) {
    super(code, message, null);
  }
}
