package io.isle.apps.jobs.run;

import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.IsleException;
import io.isle.apps.jobs.platform.Failures;

/** The one program that a stream has loaded, over contexts. Used by the stream's thread. */
final class ContextProgram {
  private ProgramSource source;

  /** Null while it is not loaded. */
  private Program program;

  /** From now on it is this one; another one is unloaded. */
  void want(ProgramSource wanted) {
    if (!wanted.equals(source)) {
      unload();
      source = wanted;
    }
  }

  /** The program on {@code context}, where it stays until {@link #lost}. */
  Program on(Context context) {
    if (program == null && source != null) {
      program = context.load(source);
    }
    return program;
  }

  /** It went with its context. */
  void lost() {
    program = null;
  }

  private void unload() {
    Program loaded = program;
    program = null;
    if (loaded == null) {
      return;
    }
    try {
      loaded.close();
    } catch (IsleException e) {
      if (!Failures.passes(Failures.ofCall(e))) {
        throw e;
      }
      // It is gone with its device, or goes with the context.
    }
  }
}
