package io.isle.api.driver;

import java.util.List;
import java.util.Set;

/** Extension: programs that a device can run. Control lane. */
public interface Programs {
  /** Kinds of source, with the numbers of the driver ABI: 1 to 4 in this order. */
  enum Kind {
    BUILTIN,
    OPENCL_C,
    SPIRV,
    PTX
  }

  Set<Kind> kinds();

  /** Entries of the built-in programs, one a program. */
  List<ProgramEntry> builtins();

  /**
   * Loads a program for a context under the core's id {@code program}.
   *
   * @param source for BUILTIN the program's name in UTF-8
   * @return its entries
   * @throws DriverException ENOENT unknown built-in; EINVAL with the build log; ENOTSUP kind
   */
  List<ProgramEntry> load(long context, long program, Kind kind, byte[] source);

  void unload(long program);
}
