package io.isle.api.driver;

import io.isle.api.base.Errno;
import java.util.List;
import java.util.Set;

/** Extension: programs that a device can run. Control lane. */
public interface Programs {
  /** Kinds of sources, with the numbers of the driver ABI: 1 to 5 in this order. */
  enum Kind {
    /** A program of the driver, by name. */
    BUILTIN,
    /** OpenCL C source text. */
    OPENCL_C,
    /** A SPIR-V module. */
    SPIRV,
    /** PTX assembly. */
    PTX,
    /** Handlers of packets, a file of {@code spin-cc}, for {@link HandlerUnits}. No entries. */
    HANDLERS
  }

  /** Kinds that {@link #load} supports; constant while the device is open. */
  Set<Kind> kinds();

  /** Entries of the built-in programs, one entry a program. */
  List<ProgramEntry> builtins();

  /**
   * Loads a program for a context.
   *
   * @param program core id for the program
   * @param source 1 byte to 1 MiB, not to be changed; for BUILTIN the program's name in UTF-8
   * @return the entries of the program; none for HANDLERS
   * @throws DriverException ENOENT for an unknown built-in program; EINVAL with the build log;
   *     ENOTSUP for the kind
   */
  List<ProgramEntry> load(long context, long program, Kind kind, byte[] source);

  /**
   * As {@link #load(long, long, Kind, byte[])}, with build options.
   *
   * @param options in the syntax of the kind's compiler; at most 4096 bytes in UTF-8, one line
   * @throws DriverException ENOTSUP also for options if the driver supports no options
   */
  default List<ProgramEntry> load(
      long context, long program, Kind kind, byte[] source, String options) {
    if (!options.isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "options: the driver takes no build options");
    }
    return load(context, program, kind, source);
  }

  /** Unloads a program. */
  void unload(long program);
}
