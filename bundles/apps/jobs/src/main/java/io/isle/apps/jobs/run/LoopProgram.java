package io.isle.apps.jobs.run;

import io.isle.apps.jobs.run.loop.LoopNode;
import java.util.List;
import java.util.OptionalLong;

/**
 * A loop whose names have become numbers. Immutable.
 *
 * @param root its turns; inner steps are numbers of {@code calls}
 * @param names number of the names of buffers
 * @param variables number of the variables
 * @param untils what ends loops early, by the number that the turns have
 * @param windows parts of buffers that may be looked at
 * @param checkpoint turns between checkpoints; 0 for never, empty for by time
 */
record LoopProgram(
    LoopNode.Turns root,
    int names,
    int variables,
    List<LoopCall> calls,
    List<LoopUntil> untils,
    List<Window> windows,
    OptionalLong checkpoint) {
  LoopProgram {
    calls = List.copyOf(calls);
    untils = List.copyOf(untils);
    windows = List.copyOf(windows);
  }

  /**
   * A part of a buffer that the CPU looks at.
   *
   * @param buffer by the number of its first name
   */
  record Window(int buffer, long offset, long bytes) {}
}
