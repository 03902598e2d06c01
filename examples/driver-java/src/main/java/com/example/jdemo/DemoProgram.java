package com.example.jdemo;

import static io.isle.api.driver.ProgramEntry.Kind.BUFFER;
import static io.isle.api.driver.ProgramEntry.Kind.U32;
import static io.isle.api.driver.ProgramEntry.Kind.U64;

import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.util.List;
import java.util.Locale;

/** What the device can run: put yours here, and into {@link Execution}. */
enum DemoProgram {
  NOOP,
  /** Microseconds. */
  BUSY(new Argument(U64, 0)),
  /** Destination, pattern. */
  FILL(new Argument(BUFFER, Binding.WRITE), new Argument(U32, 0)),
  /** Source, destination. */
  COPY(new Argument(BUFFER, Binding.READ), new Argument(BUFFER, Binding.WRITE)),
  /** Source, 256 counts of 64 bits. */
  HISTOGRAM(new Argument(BUFFER, Binding.READ), new Argument(BUFFER, Binding.WRITE));

  final ProgramEntry entry;

  DemoProgram(Argument... arguments) {
    entry = new ProgramEntry(name().toLowerCase(Locale.ROOT), 0, List.of(arguments));
  }
}
