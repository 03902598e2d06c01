package io.isle.api.accel;

/** Where a program comes from. The core keeps it to load the program again. */
public sealed interface ProgramSource {
  /** A program that the device's driver brings along. */
  record Builtin(String name) implements ProgramSource {}
}
