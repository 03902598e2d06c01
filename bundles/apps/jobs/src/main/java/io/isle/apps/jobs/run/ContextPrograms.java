package io.isle.apps.jobs.run;

import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import java.util.IdentityHashMap;
import java.util.Map;

/** The programs that a stream has loaded, over contexts. Used by the stream's thread. */
final class ContextPrograms {
  /** By source, of which a job has one object; null where it is not loaded. */
  private final Map<ProgramSource, Program> programs = new IdentityHashMap<>();

  /** From now on this one is loaded, too. */
  void want(ProgramSource wanted) {
    programs.putIfAbsent(wanted, null);
  }

  /** All of them are on {@code context}, where they stay until {@link #lost}. */
  void load(Context context) {
    programs.replaceAll((source, loaded) -> loaded == null ? context.load(source) : loaded);
  }

  /** One that is wanted and loaded. */
  Program get(ProgramSource wanted) {
    return programs.get(wanted);
  }

  /** They went with their context. */
  void lost() {
    programs.replaceAll((source, loaded) -> null);
  }
}
