package io.isle.api.driver;

import java.util.List;

/**
 * Extension: descriptions of kernels, and launches. Control lane.
 *
 * <p>A device with this extension accepts {@code ISLE_OP_LAUNCH} for the kernels that it describes,
 * and the bits {@code ISLE_ACCESS_NO_COPY_IN} and {@code ISLE_ACCESS_NO_COPY_BACK} of a binding
 * (isle_kabi.h). Other devices get neither.
 */
public interface Kernels {
  /** Largest number of kernels of a program. */
  int MAX_KERNELS = 256;

  /**
   * Describes all kernels of a program, unusable kernels included. The entries of {@link
   * Programs#load} come first, with the same numbers, names and arguments. The answer for a program
   * is always the same.
   *
   * @param program core id of a loaded program
   * @return the kernels in the order of their numbers, 0, 1, ... without gaps, at most {@link
   *     #MAX_KERNELS}
   * @throws DriverException ENOENT for an unknown program
   */
  List<Kernel> kernels(long program);
}
