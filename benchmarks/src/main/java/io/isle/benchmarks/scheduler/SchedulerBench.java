package io.isle.benchmarks.scheduler;

import io.isle.benchmarks.Jmh;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/** What a decision of the scheduling core costs, against a bare indexed heap in the same run. */
public final class SchedulerBench {
  private static final String NAME = "scheduler";
  private static final String ALL = "decide,lone-tenant";
  private static final String PEER = "4-ary indexed EDF heap: top, new deadline";
  private static final double GOAL = 0.6;
  private static final double MOST_BYTES = 0.5;

  /** JVMs: one a pair of figures, so that what one compiles worse than another counts once. */
  static final int FORKS = 9;

  private static final int ITERATIONS = 5;
  private static final int ITERATION_MS = 100;
  private static final int WARM_UPS = 2;
  private static final int WARM_UP_MS = 500;

  private final Settings settings;
  private final PrintStream progress;

  public SchedulerBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas:
   * {@code decide}, {@code lone-tenant}.
   */
  public List<Row> run() throws RunnerException, InterruptedException {
    List<String> wanted = List.of(System.getProperty("isle.bench.cases", ALL).split(",", -1));
    List<Row> rows = new ArrayList<>();
    if (wanted.contains("decide")) {
      rows.addAll(decisions());
    }
    if (wanted.contains("lone-tenant")) {
      rows.add(new LoneTenant(settings, progress).run());
    }
    return rows;
  }

  private List<Row> decisions() throws RunnerException {
    Map<String, double[]> times = new TreeMap<>();
    Map<String, double[]> bytes = new TreeMap<>();
    int forks = settings.size(FORKS, 1);
    for (int fork = 0; fork < forks; fork++) {
      progress.printf("scheduler: JVM %d of %d%n", fork + 1, forks);
      for (RunResult result : measure()) {
        String key =
            result.getPrimaryResult().getLabel() + "-" + result.getParams().getParam("contexts");
        times.computeIfAbsent(key, k -> new double[forks])[fork] = best(result);
        if (!key.startsWith("bareHeap")) {
          bytes.computeIfAbsent(key, k -> new double[forks])[fork] =
              result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int contexts : new int[] {2, 16, 256, 4096}) {
      double[] peer = times.get("bareHeap-" + contexts);
      double[] ours = times.get("decide-" + contexts);
      rows.add(Row.against(NAME, "decide-" + contexts, "ns", "lower", ours, peer, PEER, GOAL));
      ours = times.get("decideByWeight-" + contexts);
      rows.add(
          Row.against(NAME, "decide-weight-" + contexts, "ns", "lower", ours, peer, PEER, null));
    }
    rows.add(Row.absolute(NAME, "alloc", "B", "lower", most(bytes.values()), MOST_BYTES));
    return rows;
  }

  /** By JVM, the most of all configurations: each of them must be good. */
  static double[] most(Collection<double[]> byConfiguration) {
    double[] most = new double[byConfiguration.iterator().next().length];
    for (double[] figures : byConfiguration) {
      for (int fork = 0; fork < most.length; fork++) {
        most[fork] = Math.max(most[fork], figures[fork]);
      }
    }
    return most;
  }

  /** In a JVM of its own for each configuration; a smoke run needs none besides its own. */
  private Iterable<RunResult> measure() throws RunnerException {
    return Jmh.run(
        settings,
        DecisionBench.class,
        options ->
            options
                .forks(settings.size(1, 0))
                .warmupIterations(settings.size(WARM_UPS, 0))
                .warmupTime(TimeValue.milliseconds(WARM_UP_MS))
                .measurementIterations(settings.size(ITERATIONS, 1))
                .measurementTime(TimeValue.milliseconds(settings.size(ITERATION_MS, 1)))
                .jvmArgsAppend(Jmh.NO_WORD_OF_THE_JVM));
  }

  /** The least of the iterations: whatever else the machine does only adds. */
  private static double best(RunResult result) {
    double best = Double.MAX_VALUE;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        best = Math.min(best, iteration.getPrimaryResult().getScore());
      }
    }
    return best;
  }
}
