package io.isle.fabric.ring.process.wire;

/** A message that is not of the protocol; the text says why. */
public final class MalformedException extends Exception {
  private static final long serialVersionUID = 1L;

  public MalformedException(String message) {
    super(message);
  }

  MalformedException(String message, Throwable cause) {
    super(message, cause);
  }
}
