package io.isle.benchmarks.programs;

import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A loop of about 3 s with the usual checkpoints, in turn with the same loop without any. Four
 * loops are steps of one job, of one kind the first and the last: what changes from one job to the
 * next, and what changes steadily during a job, changes nothing between both kinds. Jobs begin with
 * both kinds in turn, because the first loop of a job is slower.
 */
final class CheckpointCase {
  private static final int JOBS = 15;
  private static final double LENGTH_NS = 3e9;
  private static final double GOAL = 0.98;
  private static final List<List<String>> ORDERS =
      List.of(
          List.of("with1", "without1", "without2", "with2"),
          List.of("without1", "with1", "with2", "without2"));
  private static final List<String> WITH = List.of("with1", "with2");

  /** Turns that come first, and that tell how long one takes. */
  private static final int SOME = 100;

  private final Settings settings;
  private final PrintStream progress;
  private final JobInstance instance;
  private final int edge;
  private final int some;

  CheckpointCase(Settings settings, PrintStream progress, JobInstance instance) {
    this.settings = settings;
    this.progress = progress;
    this.instance = instance;
    edge = settings.size(1024, 64);
    some = settings.size(SOME, 2);
  }

  Row measure() throws IOException, InterruptedException {
    WorkFolder.write(
        instance.folder().resolve(JobCase.INPUT), JobCase.Input.FLOATS, 4L * edge * edge);
    // the loops of the first job are slower
    JobInstance.Run ignored = loops(some, 0);
    long turns = turns(loops(some, 1), some);
    int jobs = settings.size(JOBS, 1);
    double[] with = new double[jobs];
    double[] without = new double[jobs];
    for (int job = 0; job < jobs; job++) {
      progress.printf("programs: %s pair %d of %d%n", JobCases.CHECKPOINT_COST, job + 1, jobs);
      JobInstance.Run run = loops(turns, job);
      with[job] = mean(run, "with");
      without[job] = mean(run, "without");
      turns = turns(run, turns);
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

  /** How many turns take the wanted time when {@code ran} took the times of a job's loops. */
  private long turns(JobInstance.Run run, long ran) throws IOException {
    return settings.size((long) Math.ceil(LENGTH_NS * ran / mean(run, "without")), (long) some);
  }

  /** Nanoseconds of the two loops of a kind, between which the others are: a drift cancels out. */
  private static double mean(JobInstance.Run run, String kind) throws IOException {
    return (run.value(kind + 1) + run.value(kind + 2)) / 2 * 1e9;
  }

  private JobInstance.Run loops(long turns, int number) throws IOException, InterruptedException {
    Path job = instance.folder().resolve("job.yml");
    Files.writeString(job, JobTexts.checkpoints(edge, some, turns, ORDERS.get(number % 2), WITH));
    return instance.run(job);
  }
}
