package io.isle.api.driver;

import java.util.List;

/**
 * Extension: programs of several files. Only for a device with {@link Programs} that supports
 * OPENCL_C; {@link Programs#unload} unloads these programs, too. Control lane.
 */
public interface ProgramSources {
  /** Most files of a program, headers included. */
  int MAX_FILES = 64;

  /** Longest text of a file: 1 MiB. */
  int MAX_FILE_BYTES = 1 << 20;

  /** Most bytes of all texts together: 4 MiB. */
  int MAX_BYTES = 4 << 20;

  /** Longest name of a file, in bytes of UTF-8. */
  int MAX_NAME_BYTES = 255;

  /**
   * Compiles each file and links all of them to one program of a context. A text includes another
   * one by {@code #include "name"}, with the name relative to the including file or to the root of
   * all names. The core has checked numbers, sizes and names: together at most {@link #MAX_FILES}
   * files and {@link #MAX_BYTES}, no name twice, no name the folder of another name.
   *
   * @param program core id for the program
   * @param files to be compiled, at least 1
   * @param headers only to be included
   * @param options for the compiler, at most 4096 bytes in UTF-8, one line; may be empty
   * @return the entries of the program
   * @throws DriverException EINVAL with the build log, which names the files; ENOTSUP if the driver
   *     or its device takes no programs of several files
   */
  List<ProgramEntry> load(
      long context, long program, List<File> files, List<File> headers, String options);

  /**
   * A named text.
   *
   * @param name a relative path of 1 to {@link #MAX_NAME_BYTES} bytes in UTF-8, parts separated by
   *     {@code /}, without the parts {@code .} and {@code ..}, control characters, double quotes
   *     and backslashes
   * @param text at most {@link #MAX_FILE_BYTES}, without NUL, not to be changed; may be empty
   */
  record File(String name, byte[] text) {}
}
