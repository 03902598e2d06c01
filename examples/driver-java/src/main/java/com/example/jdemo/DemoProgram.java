package com.example.jdemo;

import static io.isle.api.driver.ProgramEntry.Kind.BUFFER;
import static io.isle.api.driver.ProgramEntry.Kind.U32;
import static io.isle.api.driver.ProgramEntry.Kind.U64;

import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.util.List;
import java.util.Locale;

/** The programs of the device. Add your programs here and in {@link Execution}. */
enum DemoProgram {
  NOOP,
  /** Argument: microseconds. */
  BUSY(new Argument(U64, 0)),
  /** Arguments: destination, pattern. */
  FILL(new Argument(BUFFER, Binding.WRITE), new Argument(U32, 0)),
  /** Arguments: source, destination. */
  COPY(new Argument(BUFFER, Binding.READ), new Argument(BUFFER, Binding.WRITE)),
  /** Arguments: source, destination of 256 counts of 64 bits. */
  HISTOGRAM(new Argument(BUFFER, Binding.READ), new Argument(BUFFER, Binding.WRITE));

  final ProgramEntry entry;

  DemoProgram(Argument... arguments) {
    entry = new ProgramEntry(name().toLowerCase(Locale.ROOT), 0, List.of(arguments));
  }
}
