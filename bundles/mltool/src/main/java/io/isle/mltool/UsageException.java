package io.isle.mltool;

/** The arguments are wrong: exit code 2. The message names the argument. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
