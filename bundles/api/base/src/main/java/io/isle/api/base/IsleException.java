package io.isle.api.base;

/**
 * Root of the control path's exceptions: one subtype an area, each with a code of {@link Errno}.
 * The message says what is wrong, names the field and the limit, and says what to do.
 */
public abstract class IsleException extends RuntimeException implements ExitStatus {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code a positive code of {@link Errno}
   * @param message for the user
   * @param cause or null
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
