package io.isle.benchmarks.programs;

import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A loop of about 3 s with the usual checkpoints, in turn with the same loop without any. */
final class CheckpointCase {
  private static final int PAIRS = 15;
  private static final double LENGTH_S = 3;
  private static final double GOAL = 0.98;

  /** Turns that tell how long one takes. */
  private static final int SOME = 200;

  private final Settings settings;
  private final PrintStream progress;
  private final JobInstance instance;
  private final int edge;

  CheckpointCase(Settings settings, PrintStream progress, JobInstance instance) {
    this.settings = settings;
    this.progress = progress;
    this.instance = instance;
    edge = settings.size(1024, 64);
  }

  Row measure() throws IOException, InterruptedException {
    WorkFolder.write(
        instance.folder().resolve(JobCase.INPUT), JobCase.Input.FLOATS, 4L * edge * edge);
    int some = settings.size(SOME, 2);
    // the first one is slower
    double ignored = seconds(some, false);
    double seconds = seconds(some, false);
    long turns = settings.size((long) Math.ceil(LENGTH_S * some / seconds), (long) some);
    int pairs = settings.size(PAIRS, 1);
    double[] with = new double[pairs];
    double[] without = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      progress.printf("programs: %s pair %d of %d%n", JobCases.CHECKPOINT_COST, pair + 1, pairs);
      with[pair] = seconds(turns, true) * 1e9;
      without[pair] = seconds(turns, false) * 1e9;
    }
    return Row.against(
        ProgramsBench.NAME,
        JobCases.CHECKPOINT_COST,
        "ns",
        "lower",
        with,
        without,
        "the same loop without checkpoints",
        GOAL);
  }

  private double seconds(long turns, boolean checkpoints) throws IOException, InterruptedException {
    Path job = instance.folder().resolve("job.yml");
    Files.writeString(job, JobTexts.stencil(edge, turns, checkpoints));
    return instance.run(job).value(JobCase.SECONDS);
  }
}
