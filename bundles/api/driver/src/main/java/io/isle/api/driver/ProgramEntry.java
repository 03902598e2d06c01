package io.isle.api.driver;

import java.util.List;

/**
 * An entry of a program.
 *
 * @param name name of the entry, such as the kernel's name
 * @param entry number of the entry: 0, 1, ... without gaps
 * @param arguments in order, at most 16
 */
public record ProgramEntry(String name, int entry, List<Argument> arguments) {
  public ProgramEntry {
    arguments = List.copyOf(arguments);
  }

  /**
   * An argument.
   *
   * @param kind kind of the argument
   * @param access for BUFFER a bit set of 1 read, 2 write; else 0
   */
  public record Argument(Kind kind, int access) {}

  /** Kinds of arguments, with the numbers of the driver ABI: 1 to 7 in this order. */
  public enum Kind {
    BUFFER,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64
  }
}
