package io.isle.apps.jobs.spec;

import java.util.Optional;

/** An argument of a program, as the job file writes it. Immutable. */
public sealed interface Arg {
  Located where();

  /**
   * A number, a formula or the name of a buffer: the program says which type it takes.
   *
   * @param formula empty for a number and for the name of a buffer
   */
  record Plain(String text, Optional<Buffers.Formula> formula, Located where) implements Arg {}

  /**
   * A buffer whose bytes the program sees as elements of whatever type.
   *
   * @param buffer name of a buffer of the step
   */
  record Raw(String buffer, Located where) implements Arg {}

  /** A value with a type. */
  record Typed(TypedValue value, Located where) implements Arg {}

  /**
   * Local memory of a work-group.
   *
   * @param bytes its size
   */
  record Local(Buffers.Formula bytes, Located where) implements Arg {}
}
