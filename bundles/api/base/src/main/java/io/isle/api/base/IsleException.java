package io.isle.api.base;

/**
 * Base class of the exceptions of the control path. Each area has one subtype. The message states
 * the mistake, the field and the limit, and a remedy.
 */
public abstract class IsleException extends RuntimeException implements ExitStatus {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code a positive or negated code of {@link Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  protected IsleException(int code, String message, Throwable cause) {
    super(message, cause);
    this.code = Math.abs(code);
  }

  /** A positive code of {@link Errno}. */
  public final int code() {
    return code;
  }

  @Override
  public int exitStatus() {
    return FAILED;
  }
}
