package io.isle.api.driver;

import io.isle.api.base.Errno;
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

  /** Kinds that {@link #load} takes; constant while the device is open. */
  Set<Kind> kinds();

  /** Entries of the built-in programs, one a program. */
  List<ProgramEntry> builtins();

  /**
   * Loads a program for a context under the core's id {@code program}.
   *
   * @param source 1 byte to 1 MiB, not to be changed; for BUILTIN the program's name in UTF-8
   * @return its entries
   * @throws DriverException ENOENT unknown built-in; EINVAL with the build log; ENOTSUP kind
   */
  List<ProgramEntry> load(long context, long program, Kind kind, byte[] source);

  /**
   * As {@link #load(long, long, Kind, byte[])}, with build options.
   *
   * @param options in the words of the kind's compiler; at most 4096 bytes in UTF-8, one line
   * @throws DriverException ENOTSUP also where there are options and the driver takes none
   */
  default List<ProgramEntry> load(
      long context, long program, Kind kind, byte[] source, String options) {
    if (!options.isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "options: the driver takes no build options");
    }
    return load(context, program, kind, source);
  }

  void unload(long program);
}
