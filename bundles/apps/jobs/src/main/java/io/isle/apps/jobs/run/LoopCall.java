package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;

/** An inner step of a loop, checked against its program. Used by the stream's thread. */
interface LoopCall {
  /** The program that it runs. */
  ProgramSource source();

  /** Most bytes of its operation. */
  long bytes();

  /** Whether the program may write what this name of a buffer stands for. */
  boolean writes(int name);

  /**
   * Writes its dispatch.
   *
   * @param program loaded from {@link #source}
   * @param uses used range of each name
   * @param variables values of the loops' variables
   */
  void write(CommandWriter writer, Program program, int[] uses, long[] variables);
}
