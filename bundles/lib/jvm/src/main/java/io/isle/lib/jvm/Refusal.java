package io.isle.lib.jvm;

import io.isle.api.base.IsleException;

/** Makes the exceptions of one area. */
@FunctionalInterface
public interface Refusal {
  /**
   * Makes an exception.
   *
   * @param code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  IsleException of(int code, String message, Throwable cause);
}
