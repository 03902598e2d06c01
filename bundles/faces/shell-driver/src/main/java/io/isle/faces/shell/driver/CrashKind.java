package io.isle.faces.shell.driver;

import io.isle.api.device.HostFault;
import io.isle.faces.shell.ShellException;
import java.util.Locale;
import java.util.Optional;
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

  /** What is done to the process; empty when the driver does it to itself, at its next work. */
  Optional<HostFault> fromOutside() {
    return switch (this) {
      case KILL -> Optional.of(HostFault.KILL);
      case HANG -> Optional.of(HostFault.STOP);
      case SEGV, ABORT, EXIT -> Optional.empty();
    };
  }
}
