package io.isle.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What the way through the platform costs a submission, against the same loop in C on the same
 * library; what it allocates; and what a real job gets out of it.
 */
final class DispatchBench {
  static final int INFLIGHT = 64;
  private static final String NAME = "dispatch";
  private static final long SUBMISSIONS = 1_000_000;
  private static final int PAIRS = 21;
  private static final int WARM_UP = 3;
  private static final int ROUND_TRIPS = 20_000;
  private static final String C_LOOP = "C loop on the same library";

  private final Settings settings;
  private final PrintStream progress;
  private final int pairs;
  private final long submissions;

  DispatchBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
    pairs = settings.size(PAIRS, 1);
    submissions = settings.size(SUBMISSIONS, 1000L);
  }

  List<Row> run() throws Exception {
    return Cases.runAll(
        NAME,
        List.of(
            this::submissions, () -> List.of(allocation()), new BlockhashBench(settings, progress)),
        settings,
        progress);
  }

  private List<Row> submissions() throws IOException, InterruptedException {
    double[] inProcess = new double[pairs];
    double[] acrossProcesses = new double[pairs];
    double[] peer = new double[pairs];
    double[] roundTrip = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      progress.printf("dispatch: pair %d of %d%n", pair + 1, pairs);
      try (Tenant tenant = new Tenant(settings.nativeDirectory(), 1, INFLIGHT)) {
        inProcess[pair] = measured(tenant);
        roundTrip[pair] = tenant.roundTrip(settings.size(ROUND_TRIPS, 100));
      }
      peer[pair] = cLoop();
      try (Tenant tenant = new Tenant(settings.nativeDirectory(), 2, INFLIGHT)) {
        acrossProcesses[pair] = measured(tenant);
      }
    }
    return List.of(
        Row.absolute(NAME, "submit-64-inflight", "ns", "lower", minus(inProcess, peer), 500.0),
        Row.against(NAME, "submit-64-inflight-raw", "ns", "lower", inProcess, peer, C_LOOP, null),
        Row.absolute(
            NAME, "submit-64-inflight-tier2", "ns", "lower", minus(acrossProcesses, peer), 1000.0),
        Row.absolute(NAME, "roundtrip-depth1", "ns", "lower", roundTrip, null));
  }

  private double measured(Tenant tenant) {
    for (int i = 0; i < settings.size(WARM_UP, 0); i++) {
      double ignored = tenant.throughput(submissions / 10);
    }
    return tenant.throughput(submissions);
  }

  private double cLoop() throws IOException, InterruptedException {
    Path nativeDirectory = settings.nativeDirectory();
    String printed =
        Commands.output(
            List.of(
                nativeDirectory.resolve("bench-dispatch").toString(),
                nativeDirectory.resolve("libsoftaccel.so").toString(),
                "raw",
                Long.toString(submissions),
                Integer.toString(INFLIGHT)));
    return Double.parseDouble(printed.trim());
  }

  private static double[] minus(double[] ours, double[] peer) {
    double[] difference = new double[ours.length];
    for (int i = 0; i < ours.length; i++) {
      difference[i] = ours[i] - peer[i];
    }
    return difference;
  }

  private Row allocation() throws RunnerException {
    progress.println("dispatch: allocation per submission (JMH, gc profiler)");
    Collection<RunResult> results =
        Jmh.run(
            settings,
            AllocationBench.class,
            options ->
                options
                    .forks(1)
                    .warmupIterations(settings.size(WARM_UP, 0))
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(pairs)
                    .measurementTime(settings.size(TimeValue.seconds(1), TimeValue.milliseconds(1)))
                    .jvmArgsAppend(
                        "-Disle.native=" + settings.nativeDirectory(),
                        "--enable-native-access=ALL-UNNAMED",
                        Jmh.NO_WORD_OF_THE_JVM));
    RunResult result = results.iterator().next();
    double[] bytes =
        result.getBenchmarkResults().iterator().next().getIterationResults().stream()
            .mapToDouble(
                iteration -> iteration.getSecondaryResults().get("gc.alloc.rate.norm").getScore())
            .toArray();
    return Row.absolute(NAME, "alloc-per-submission", "B", "lower", bytes, 0.5);
  }
}
