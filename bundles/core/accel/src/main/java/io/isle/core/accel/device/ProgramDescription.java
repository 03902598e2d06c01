package io.isle.core.accel.device;

import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import java.util.List;
import java.util.Optional;

/**
 * What a driver says of a loaded program; the same of each device that loads it. Immutable.
 *
 * @param entries what dispatches can run
 * @param kernels all kernels, those of the entries first; absent if the driver describes none
 */
public record ProgramDescription(List<ProgramEntry> entries, Optional<List<Kernel>> kernels) {
  public ProgramDescription {
    entries = List.copyOf(entries);
    kernels = kernels.map(List::copyOf);
  }

  /**
   * Whether a device that describes the program so can run what was checked against this. Kernels
   * of a driver that had none before are not used, and so not compared.
   */
  public boolean isKeptBy(ProgramDescription next) {
    return entries.equals(next.entries) && (kernels.isEmpty() || kernels.equals(next.kernels));
  }
}
