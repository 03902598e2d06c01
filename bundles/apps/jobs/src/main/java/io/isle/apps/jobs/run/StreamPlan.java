package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a step that goes through a program piece by piece works with.
 *
 * @param source where the program comes from
 * @param lanePlaces where each lane stands among the step's buffers
 * @param files inputs of the first pass, one for each lane with input
 * @param units of the whole input, or -1
 * @param bytes of the whole input, or -1; for the progress
 * @param blocks what a piece counts in the measure {@code blocks}
 * @param sinks take the results, one for each lane with results
 * @param extents the step's other extents
 * @param checks of each piece's results, by lane
 */
record StreamPlan(
    JobSpec.Step step,
    ProgramSource source,
    Layout layout,
    List<Integer> lanePlaces,
    Arguments arguments,
    Residents residents,
    List<FileLane> files,
    long units,
    long bytes,
    ToLongFunction<Chunk> blocks,
    List<Sink> sinks,
    Extents extents,
    Map<Integer, PieceCheck> checks) {
  /** Whether the first pass goes on for the time of a step that has one, without a break. */
  boolean isEndless() {
    return step.pace().forNs() > 0 && !step.buffers().named();
  }

  /**
   * The inputs of a pass, none of them read so far.
   *
   * @param pieces how many of an endless pass are enough; -1 for as many as the time takes
   */
  List<? extends PieceInput> inputs(int pass, StepPacing pacing, int pieces) {
    List<FileLane> lanes = pass == 0 ? files : files.stream().map(FileLane::again).toList();
    return isEndless()
        ? lanes.stream().map(lane -> new LoopedInput(lane, pacing::goesOn, pieces)).toList()
        : lanes;
  }

  /** Units of the pieces by turns, where the step says so. */
  long[] pieceUnits() {
    long unit = Math.max(1, layout.inputBytes());
    return step.pace().pieces().stream().mapToLong(piece -> Math.max(1, piece / unit)).toArray();
  }

  /**
   * Whether all of the input, and each size of its pieces, fits into what is on its way.
   *
   * @param slots pieces that are
   * @param most units of a piece, where the step does not say how many
   */
  boolean fits(int slots, long most) {
    long[] units = pieceUnits();
    int sizes = Math.max(1, units.length);
    long sum = 0;
    for (int i = 0; i < slots; i++) {
      sum += units.length == 0 ? most : units[i % sizes];
    }
    return slots % sizes == 0 && bytes >= 0 && bytes <= sum * Math.max(1, layout.inputBytes());
  }

  /** Writes the dispatch of a piece. */
  void dispatch(CommandWriter writer, Program program, int units, int[] uses) {
    Extents here = extents.with(step.buffers().stream(), units);
    int[] size = here.size(step.program().size(), units);
    CommandWriter ignored = writer.dispatch(program, arguments.entry(), size[0], size[1], size[2]);
    arguments.write(writer, uses, here);
  }
}
