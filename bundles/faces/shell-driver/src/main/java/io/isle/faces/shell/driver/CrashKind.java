package io.isle.faces.shell.driver;

import io.isle.faces.shell.ShellException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a driver is made to crash. */
enum CrashKind {
  /** The driver reads an address that is not there. */
  SEGV,
  ABORT,
  EXIT,
  /** Its process is killed from outside. */
  KILL,
  /** Its process is stopped, so that it makes no progress any more. */
  HANG;

  static CrashKind of(String text) {
    return Stream.of(values())
        .filter(kind -> kind.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.usage(
                    "kind '"
                        + text
                        + "' is not one of "
                        + Stream.of(values())
                            .map(CrashKind::text)
                            .collect(Collectors.joining(", "))));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is done to the process; else the driver does it to itself, at its next work. */
  boolean fromOutside() {
    return this == KILL || this == HANG;
  }
}
