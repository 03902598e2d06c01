package io.isle.apps.jobs.run;

import io.isle.api.accel.ProgramSource;

/** What a step's {@code program} is for the core. */
final class Programs {
  private Programs() {}

  /** The source of a program that a job file names. */
  static ProgramSource source(String program) {
    return new ProgramSource.Builtin(program);
  }
}
