package io.isle.sim;

/** Ends the program with a message and an exit code. */
final class SimException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exit;

  private SimException(int exit, String message) {
    super(message);
    this.exit = exit;
  }

  /** The arguments or the form of a file: exit code 2. */
  static SimException usage(String message) {
    return new SimException(2, message);
  }

  /** Something was refused or cannot be read: exit code 1. */
  static SimException failed(String message) {
    return new SimException(1, message);
  }

  int exit() {
    return exit;
  }
}
