package io.isle.drivers.sim;

import io.isle.api.driver.ProgramEntry;
import java.util.List;

/**
 * A loaded program: what each entry takes, and the built-in program that does its work. Immutable.
 */
record SimProgram(List<ProgramEntry> entries, List<Builtin> bodies) {
  SimProgram {
    entries = List.copyOf(entries);
    bodies = List.copyOf(bodies);
  }

  static SimProgram of(Builtin builtin) {
    return new SimProgram(List.of(builtin.entry()), List.of(builtin));
  }
}
