package io.isle.api.spin;

import io.isle.api.base.IsleException;

/**
 * A refused or failed operation on a programmable network interface, with the error number of
 * Linux.
 */
public final class SpinException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code error number, such as EINVAL
   * @param message names the field or object, and the limit or the remedy
   */
  public SpinException(int code, String message) {
    super(code, message, null);
  }

  /** As the other constructor, with a cause. */
  public SpinException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
