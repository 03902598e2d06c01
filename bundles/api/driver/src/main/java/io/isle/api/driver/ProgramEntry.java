package io.isle.api.driver;

import java.util.List;

/**
 * One entry of a program: its name and the kinds of its arguments.
 *
 * @param name as people know it, such as the kernel's
 * @param entry its number; those of a program are 0, 1, ... without gaps
 * @param arguments in order, at most 16
 */
public record ProgramEntry(String name, int entry, List<Argument> arguments) {
  public ProgramEntry {
    arguments = List.copyOf(arguments);
  }

  /**
   * An argument.
   *
   * @param access for BUFFER: bit set of 1 read, 2 write; else 0
   */
  public record Argument(Kind kind, int access) {}

  /** Kinds, with the numbers of the driver ABI: 1 to 7 in this order. */
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
