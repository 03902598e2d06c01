package io.isle.core.testing;

import java.util.stream.Stream;

/** Exceptions and errors that tests plan. */
public final class Thrown {
  private Thrown() {}

  /** One of each kind that code may throw without declaring it. */
  public static Stream<Throwable> kinds() {
    return Stream.of(new IllegalStateException("planned"), new AssertionError("planned"));
  }

  /** Throws {@code what}, which is unchecked. */
  public static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }
}
