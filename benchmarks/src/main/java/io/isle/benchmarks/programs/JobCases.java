package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loops and files of jobs on the first OpenCL device, each in turn with the host program that does
 * the same. Both must have the same results.
 */
final class JobCases implements Cases {
  static final String CHECKPOINT_COST = "checkpoint-cost";

  private static final int PAIRS = 9;
  private static final int WARM_UP = 3;

  /** Of a job that is over so soon that most of its code is not compiled after three. */
  private static final int SHORT_WARM_UP = 60;

  private static final String LOOPS_PEER = "a host program, all turns enqueued at once";
  private static final String TURNS_PEER = "a host program that reads the flag as often";
  private static final String IN_TURN_PEER = "a host program, one thing after the other";
  private static final String MAPPED_PEER = "a host program with mapped files";

  private final Settings settings;
  private final PrintStream progress;
  private final HostProgram host;
  private final List<JobCase> cases;
  private final boolean checkpoints;

  /**
   * With the cases of these names.
   *
   * @param wanted of {@link #names}
   */
  JobCases(Settings settings, PrintStream progress, List<String> wanted) {
    this.settings = settings;
    this.progress = progress;
    host = new HostProgram(settings.nativeDirectory());
    cases = all(settings).stream().filter(each -> wanted.contains(each.name())).toList();
    checkpoints = wanted.contains(CHECKPOINT_COST);
  }

  /** Names of all rows. */
  static List<String> names(Settings settings) {
    return Stream.concat(all(settings).stream().map(JobCase::name), Stream.of(CHECKPOINT_COST))
        .toList();
  }

  private static List<JobCase> all(Settings settings) {
    int records = settings.size(50 << 20, 1 << 16);
    return List.of(
        stencil("loop-60", 0.8, settings.size(1024, 64), settings.size(60, 2)),
        stencil("loop-10000-small", 0.7, 64, settings.size(10_000, 100)),
        until(settings.size(64, 16)),
        sort(settings.size(17, 12)),
        oneShot(settings.size(4 << 20, 1 << 16)),
        stream("stream-50m", 1.5, records, IN_TURN_PEER, "copied"),
        stream("stream-50m-mapped", 0.35, records, MAPPED_PEER, "mapped"));
  }

  private static JobCase stencil(String name, double goal, int edge, int turns) {
    long bytes = 4L * edge * edge;
    List<String> words =
        List.of("stencil", "stencil.cl", Integer.toString(edge), Integer.toString(turns));
    String job = JobTexts.stencil(edge, turns);
    return new JobCase(
        name, goal, LOOPS_PEER, job, WARM_UP, true, words, JobCase.Input.FLOATS, bytes, bytes);
  }

  private static JobCase until(int edge) {
    long bytes = 4L * edge * edge;
    List<String> words = List.of("until", "until.cl", Integer.toString(edge), "16");
    String job = JobTexts.until(edge, 16);
    return new JobCase(
        "loop-until",
        0.5,
        TURNS_PEER,
        job,
        WARM_UP,
        true,
        words,
        JobCase.Input.FLOATS,
        bytes,
        bytes);
  }

  private static JobCase sort(int log) {
    long bytes = 8L << log;
    List<String> words = List.of("sort", "sort.cl", Integer.toString(log));
    String job = JobTexts.sort(log);
    return new JobCase(
        "chain-36",
        0.8,
        LOOPS_PEER,
        job,
        SHORT_WARM_UP,
        true,
        words,
        JobCase.Input.PAIRS,
        bytes,
        bytes);
  }

  private static JobCase oneShot(int floats) {
    long bytes = 4L * floats;
    List<String> words = List.of("copied", "files.cl", "scale", "4", "4");
    String job = JobTexts.file("scale", "n", false);
    return new JobCase(
        "one-shot-4m",
        0.8,
        IN_TURN_PEER,
        job,
        SHORT_WARM_UP,
        false,
        words,
        JobCase.Input.FLOATS,
        bytes,
        bytes);
  }

  private static JobCase stream(String name, double goal, int records, String peer, String verb) {
    List<String> words = List.of(verb, "files.cl", "nearest", "8", "4");
    String job = JobTexts.file("nearest", "n, 2", true);
    return new JobCase(
        name,
        goal,
        peer,
        job,
        SHORT_WARM_UP,
        false,
        words,
        JobCase.Input.FLOATS,
        8L * records,
        4L * records);
  }

  @Override
  public List<String> rows() {
    return Stream.concat(
            cases.stream().map(JobCase::name),
            checkpoints ? Stream.of(CHECKPOINT_COST) : Stream.empty())
        .toList();
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    host.check();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    long room = cases.stream().mapToLong(JobCase::room).max().orElse(0);
    Path folder = WorkFolder.make(settings, room);
    List<Row> rows = new ArrayList<>();
    try (JobInstance instance = new JobInstance(settings, folder)) {
      WorkFolder.copyKernels(settings, folder);
      for (JobCase each : cases) {
        rows.add(measure(each, instance));
      }
      if (checkpoints) {
        rows.add(new CheckpointCase(settings, progress, instance).measure());
      }
    }
    return rows;
  }

  private Row measure(JobCase each, JobInstance instance) throws IOException, InterruptedException {
    Path folder = instance.folder();
    Path input = folder.resolve(JobCase.INPUT);
    Path output = folder.resolve(JobCase.OUTPUT);
    Path expected = folder.resolve("expected");
    WorkFolder.write(input, each.input(), each.inputBytes());
    Path job = Files.writeString(folder.resolve("job.yml"), each.job());
    int pairs = settings.size(PAIRS, 1);
    double[] ours = new double[pairs];
    double[] peers = new double[pairs];
    double[] steps = new double[pairs];
    int warmUp = settings.size(each.warmUp(), 0);
    for (int pair = -warmUp; pair < pairs; pair++) {
      progress.printf("programs: %s pair %d of %d%n", each.name(), pair + 1, pairs);
      Files.deleteIfExists(output);
      JobInstance.Run run = instance.run(job);
      if (pair < 0) {
        continue;
      }
      ours[pair] = each.inside() ? run.value(JobCase.SECONDS) * 1e9 : run.elapsedNs();
      steps[pair] = run.elapsedNs(JobCase.STEP);
      List<String> words = new ArrayList<>(each.host());
      words.set(1, folder.resolve(words.get(1)).toString());
      words.add(input.toString());
      words.add(expected.toString());
      peers[pair] = host.run(folder.resolve("pocl"), words);
      checkEqual(each, output, expected);
    }
    Files.delete(output);
    Files.delete(expected);
    progress.printf("programs: %s: the step took %.1f ms%n", each.name(), Row.median(steps) / 1e6);
    return Row.against(
        ProgramsBench.NAME, each.name(), "ns", "lower", ours, peers, each.peer(), each.goal());
  }

  private static void checkEqual(JobCase each, Path output, Path expected) throws IOException {
    if (Files.size(output) != each.outputBytes()) {
      throw new IOException(each.name() + ": the job wrote " + Files.size(output) + " bytes");
    }
    long at = Files.mismatch(output, expected);
    if (at >= 0) {
      throw new IOException(
          each.name() + ": the results of the job and the host program differ at byte " + at);
    }
  }
}
