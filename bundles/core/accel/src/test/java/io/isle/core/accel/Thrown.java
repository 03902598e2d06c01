package io.isle.core.accel;

/** Throws what a test names, whatever it is. */
public final class Thrown {
  private Thrown() {}

  public static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }
}
