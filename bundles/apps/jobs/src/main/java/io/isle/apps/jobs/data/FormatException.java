package io.isle.apps.jobs.data;

import java.io.IOException;

/** A file does not hold what its format demands; the message names the field and the limit. */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public FormatException(String message) {
    super(message);
  }
}
