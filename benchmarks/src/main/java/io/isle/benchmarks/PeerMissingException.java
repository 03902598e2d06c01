package io.isle.benchmarks;

/** A program to measure against is not installed; the message says how to install it. */
public final class PeerMissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit code for something that must be installed. */
  static final int EXIT = 3;

  public PeerMissingException(String message) {
    super(message);
  }
}
