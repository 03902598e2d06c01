package io.isle.api.accel;

import java.util.Locale;

/** Kinds of program sources, in the order of the driver ABI. */
public enum ProgramKind {
  BUILTIN,
  OPENCL_C,
  SPIRV,
  PTX;

  /**
   * As in lists, JSON and messages: {@code builtin}, {@code opencl_c}, {@code spirv}, {@code ptx}.
   */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
