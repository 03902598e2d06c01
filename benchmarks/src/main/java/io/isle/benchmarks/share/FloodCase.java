package io.isle.benchmarks.share;

import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Half and a quarter of a device for two groups, while a third floods it. */
final class FloodCase {
  static final String NAME = "50-25-flood";

  /** Long, so that what others do to this machine's CPUs is made up for within it. */
  static final long PERIOD_US = 1_000_000;

  static final long WORK_US = 500;

  /**
   * To seven eighths of a period, when those who were promised a share of it have had theirs: a
   * stall in the middle of somebody's turn would count as an error that is made up for at once.
   */
  static final long SETTLE_NS = PERIOD_US * 1000 * 15 / 8;

  private static final Map<String, Double> PROMISED = Map.of("a", 0.5, "b", 0.25);
  private static final double MOST_PERCENT = 0.5;

  private final Settings settings;
  private final PrintStream progress;

  FloodCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Ours, and the kernel's beside it where there are such threads; who is first takes turns. */
  List<Row> run() throws IOException, InterruptedException {
    DeadlineCase kernel = new DeadlineCase(settings, progress);
    double[] errors = new double[ShareBench.RUNS];
    double[] kernels = new double[ShareBench.RUNS];
    for (int run = 0; run < ShareBench.RUNS; run++) {
      if (run % 2 == 0) {
        errors[run] = error(run);
      }
      if (run == 0 || !Double.isNaN(kernels[0])) {
        kernels[run] = kernel.error(run);
      }
      if (run % 2 != 0) {
        errors[run] = error(run);
      }
    }
    return rows(errors, kernels);
  }

  /**
   * @param kernels NaN first where there are none
   */
  static List<Row> rows(double[] errors, double[] kernels) {
    Row own = Row.absolute(ShareBench.NAME, NAME, "%", "lower", errors, MOST_PERCENT);
    return Double.isNaN(kernels[0])
        ? List.of(own)
        : List.of(
            own,
            Row.against(
                ShareBench.NAME,
                DeadlineCase.NAME,
                "%",
                "lower",
                errors,
                kernels,
                "SCHED_DEADLINE threads",
                null));
  }

  private double error(int run) throws InterruptedException {
    Map<String, Double> shares = measure();
    double error = error(shares, PROMISED);
    progress.println(told(NAME, run, shares, error));
    return error;
  }

  /** Shares of a run, by group. */
  private Map<String, Double> measure() throws InterruptedException {
    try (LocalPlatform platform = new LocalPlatform(settings.nativeDirectory(), 1)) {
      platform.setGroups(
          Promises.exactly("a", PERIOD_US / 2, PERIOD_US),
          Promises.exactly("b", PERIOD_US / 4, PERIOD_US),
          Promises.none("c"));
      try (Load a = Load.busy(platform, "a", WORK_US);
          Load b = Load.busy(platform, "b", WORK_US);
          Load c = Load.busy(platform, "c", WORK_US)) {
        return shares(List.of(a, b, c));
      }
    }
  }

  private static Map<String, Double> shares(List<Load> loads) throws InterruptedException {
    Pause.of(SETTLE_NS);
    List<Sample> before = new ArrayList<>();
    for (Load load : loads) {
      before.add(load.sample());
    }
    Map<String, Double> shares = new HashMap<>();
    for (int i = 0; i < loads.size(); i++) {
      Sample from = before.get(i);
      Sample to = loads.get(i).sampleAt(from.atNs() + ShareBench.RUN_NS);
      shares.put(loads.get(i).group(), to.share(from));
    }
    return shares;
  }

  static String told(String name, int run, Map<String, Double> shares, double error) {
    return "share: %s: run %d of %d: %s: off by %.3f %%"
        .formatted(
            name,
            run + 1,
            ShareBench.RUNS,
            new TreeMap<>(shares)
                .entrySet().stream()
                    .map(share -> "%s %.3f %%".formatted(share.getKey(), 100 * share.getValue()))
                    .collect(Collectors.joining(", ")),
            error);
  }

  /** The larger of the relative errors of those that were promised something, in percent. */
  static double error(Map<String, Double> shares, Map<String, Double> promised) {
    return promised.entrySet().stream()
        .mapToDouble(
            promise ->
                100
                    * Math.abs(shares.get(promise.getKey()) - promise.getValue())
                    / promise.getValue())
        .max()
        .orElseThrow();
  }
}
