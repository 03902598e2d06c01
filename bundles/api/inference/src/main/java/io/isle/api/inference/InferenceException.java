package io.isle.api.inference;

import io.isle.api.base.IsleException;

/** A refused or failed operation on models, with the error number of Linux. */
public final class InferenceException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * @param code error number, such as EINVAL
   * @param message names the field or object, and the limit or the remedy
   */
  public InferenceException(int code, String message) {
    super(code, message, null);
  }

  /** As the other constructor, with a cause. */
  public InferenceException(int code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
