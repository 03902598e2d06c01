package io.isle.fabric.ring.process.wire;

/** The other end of a line has disconnected. */
public final class EndedException extends Exception {
  private static final long serialVersionUID = 1L;

  EndedException() {
    super("the other end has disconnected");
  }
}
