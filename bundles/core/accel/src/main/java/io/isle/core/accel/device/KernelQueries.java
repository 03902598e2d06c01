package io.isle.core.accel.device;

import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.Programs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks one opening of a device for the kernels of its programs. A built-in program has the same
 * ones each time it is loaded, so they are asked for once. Thread-safe.
 */
final class KernelQueries {
  /** Most built-in programs whose kernels are kept: a device may take any name. */
  private static final int MOST = 256;

  private final Optional<Kernels> kernels;
  private final Map<String, List<Kernel>> builtins = new ConcurrentHashMap<>();

  /**
   * @param kernels absent if the driver describes none
   */
  KernelQueries(Optional<Kernels> kernels) {
    this.kernels = kernels;
  }

  boolean supported() {
    return kernels.isPresent();
  }

  /** On the control lane: the kernels of a program that has just been loaded. */
  Optional<List<Kernel>> of(ProgramCode code, long program) {
    return kernels.map(driver -> asked(driver, code, program));
  }

  private List<Kernel> asked(Kernels driver, ProgramCode code, long program) {
    if (code.kind() != Programs.Kind.BUILTIN) {
      return Signature.present(driver.kernels(program));
    }
    List<Kernel> known = builtins.get(code.label());
    if (known == null) {
      known = Signature.present(driver.kernels(program));
      if (builtins.size() < MOST) {
        builtins.put(code.label(), known);
      }
    }
    return known;
  }
}
