package io.isle.apps.jobs.run;

import io.isle.api.accel.ProgramSource;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
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
    Invocation invocation,
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

  /**
   * The dispatch of a piece.
   *
   * @throws io.isle.api.jobs.JobException naming a number that does not do for a piece of this size
   */
  Dispatch dispatch(long pieceUnits) {
    Extents here = extents.with(step.buffers().stream(), pieceUnits);
    return invocation.at(here, (int) Math.min(pieceUnits, Integer.MAX_VALUE));
  }

  /**
   * Checks the dispatches of all pieces of an input whose length is known.
   *
   * @param most units of a piece
   */
  void check(long most) {
    if (!step.buffers().named() || units <= 0) {
      return;
    }
    Dispatch ignored = dispatch(Math.min(most, units));
    if (units % most != 0) {
      ignored = dispatch(units % most);
    }
  }

  /** Work items of a work-group, of which a piece is best a multiple; 1 if nobody says. */
  long groupItems() {
    return step.buffers().named() ? invocation.groupItems(extents) : 1;
  }
}
