package io.isle.api.accel;

import java.util.Locale;

/** Kinds of program sources, in the order of the driver ABI. */
public enum ProgramKind {
  /** A program of the driver, by name. */
  BUILTIN,
  /** OpenCL C source text. */
  OPENCL_C,
  /** A SPIR-V module. */
  SPIRV,
  /** PTX assembly. */
  PTX,
  /** Handlers of packets. */
  HANDLERS;

  /**
   * Lower case, as in lists, JSON and messages: {@code builtin}, {@code opencl_c}, {@code spirv},
   * {@code ptx}, {@code handlers}.
   */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
