package io.isle.faces.control;

import io.isle.api.base.ExitStatus;
import java.io.IOException;

/** A request that cannot be understood; counts as wrong usage. */
final class RequestException extends IOException implements ExitStatus {
  private static final long serialVersionUID = 1;

  RequestException(String message) {
    super("bad request: " + message);
  }

  @Override
  public int exitStatus() {
    return USAGE;
  }
}
