package io.isle.drivers.sim;

import static io.isle.api.driver.ProgramEntry.Kind.BUFFER;
import static io.isle.api.driver.ProgramEntry.Kind.U32;
import static io.isle.api.driver.ProgramEntry.Kind.U64;

import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The built-in programs, with the arguments of the software accelerator's. */
enum Builtin {
  NOOP(),
  /** Destination, pattern. */
  FILL(new Argument(BUFFER, 2), new Argument(U32, 0)),
  /** Source, destination. */
  COPY(new Argument(BUFFER, 1), new Argument(BUFFER, 2)),
  /** Source, digests (32 bytes a block), bytes of a block. */
  SHA256(new Argument(BUFFER, 1), new Argument(BUFFER, 2), new Argument(U64, 0)),
  /** Source, 256 counts of 64 bits. */
  HISTOGRAM(new Argument(BUFFER, 1), new Argument(BUFFER, 2)),
  /** Microseconds. */
  BUSY(new Argument(U64, 0));

  private final ProgramEntry entry;

  Builtin(Argument... arguments) {
    entry = new ProgramEntry(name().toLowerCase(Locale.ROOT), 0, List.of(arguments));
  }

  ProgramEntry entry() {
    return entry;
  }

  static Optional<Builtin> named(String name) {
    return Stream.of(values()).filter(builtin -> builtin.entry.name().equals(name)).findFirst();
  }
}
