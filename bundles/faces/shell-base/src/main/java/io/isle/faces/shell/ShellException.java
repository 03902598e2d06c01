package io.isle.faces.shell;

import io.isle.api.base.ExitStatus;

/** A command failed; the message is the line that the user sees. */
public final class ShellException extends RuntimeException implements ExitStatus {
  private static final long serialVersionUID = 1L;

  private final int status;

  private ShellException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Something failed or an id is unknown: exit code 1. */
  public static ShellException failed(String message) {
    return new ShellException(FAILED, message);
  }

  /** The command line is wrong: exit code 2. */
  public static ShellException usage(String message) {
    return new ShellException(USAGE, message);
  }

  /** The user has ended the command: exit code 130. */
  public static ShellException interrupted(String message) {
    return new ShellException(INTERRUPTED, message);
  }

  @Override
  public int exitStatus() {
    return status;
  }
}
