package io.isle.drivers.sim;

import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import java.util.List;

/**
 * A loaded program: what each entry takes, and what does its work. Immutable.
 *
 * @param entries what dispatches can run
 * @param kernels all kernels, those of the entries first; empty on a device without a compiler,
 *     which takes no launches
 * @param bodies as many as there are kernels, or entries
 */
record SimProgram(List<ProgramEntry> entries, List<Kernel> kernels, List<Body> bodies) {
  SimProgram {
    entries = List.copyOf(entries);
    kernels = List.copyOf(kernels);
    bodies = List.copyOf(bodies);
  }

  static SimProgram of(Builtin builtin, boolean launches) {
    return new SimProgram(
        List.of(builtin.entry()),
        launches ? List.of(builtin.kernel()) : List.of(),
        List.of(builtin));
  }
}
