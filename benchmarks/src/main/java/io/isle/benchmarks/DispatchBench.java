package io.isle.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

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

  DispatchBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  List<Row> run() throws IOException, InterruptedException, RunnerException {
    BlockhashBench blockhash = new BlockhashBench(settings, progress);
    blockhash.checkPeer();
    List<Row> rows = new ArrayList<>(submissions());
    rows.add(allocation());
    rows.add(blockhash.run());
    return rows;
  }

  private List<Row> submissions() throws IOException, InterruptedException {
    double[] inProcess = new double[PAIRS];
    double[] acrossProcesses = new double[PAIRS];
    double[] peer = new double[PAIRS];
    double[] roundTrip = new double[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
      progress.printf("dispatch: pair %d of %d%n", pair + 1, PAIRS);
      try (Tenant tenant = new Tenant(settings.nativeDirectory(), 1, INFLIGHT)) {
        inProcess[pair] = measured(tenant);
        roundTrip[pair] = tenant.roundTrip(ROUND_TRIPS);
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

  private static double measured(Tenant tenant) {
    for (int i = 0; i < WARM_UP; i++) {
      double ignored = tenant.throughput(SUBMISSIONS / 10);
    }
    return tenant.throughput(SUBMISSIONS);
  }

  private double cLoop() throws IOException, InterruptedException {
    Path nativeDirectory = settings.nativeDirectory();
    String printed =
        Commands.output(
            List.of(
                nativeDirectory.resolve("bench-dispatch").toString(),
                nativeDirectory.resolve("libsoftaccel.so").toString(),
                "raw",
                Long.toString(SUBMISSIONS),
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
        new Runner(
                new OptionsBuilder()
                    .include(AllocationBench.class.getName().replace(".", "\\."))
                    .addProfiler(GCProfiler.class)
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(PAIRS)
                    .measurementTime(TimeValue.seconds(1))
                    .jvmArgsAppend(
                        "-Disle.native=" + settings.nativeDirectory(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow")
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .run();
    RunResult result = results.iterator().next();
    double[] bytes =
        result.getBenchmarkResults().iterator().next().getIterationResults().stream()
            .mapToDouble(
                iteration -> iteration.getSecondaryResults().get("gc.alloc.rate.norm").getScore())
            .toArray();
    return Row.absolute(NAME, "alloc-per-submission", "B", "lower", bytes, 0.5);
  }
}
