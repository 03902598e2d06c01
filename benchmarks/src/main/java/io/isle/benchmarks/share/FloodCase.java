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

  static final long WORK_US = 500;

  private static final Map<String, Double> PROMISED = Map.of("a", 0.5, "b", 0.25);
  private static final double MOST_PERCENT = 0.5;

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;

  FloodCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  /** Ours, and the kernel's beside it where there are such threads; who is first takes turns. */
  List<Row> run() throws IOException, InterruptedException {
    DeadlineCase kernel = new DeadlineCase(settings, progress);
    double[] errors = new double[rounds.runs()];
    double[] kernels = new double[rounds.runs()];
    for (int run = 0; run < rounds.runs(); run++) {
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
    progress.println(told(NAME, run, rounds.runs(), shares, error));
    return error;
  }

  /** Shares of a run, by group. */
  private Map<String, Double> measure() throws InterruptedException {
    try (LocalPlatform platform = new LocalPlatform(settings.nativeDirectory(), 1)) {
      long period = rounds.periodUs();
      platform.setGroups(
          Promises.exactly("a", period / 2, period),
          Promises.exactly("b", period / 4, period),
          Promises.none("c"));
      try (Load a = Load.busy(platform, "a", WORK_US);
          Load b = Load.busy(platform, "b", WORK_US);
          Load c = Load.busy(platform, "c", WORK_US)) {
        return shares(List.of(a, b, c));
      }
    }
  }

  private Map<String, Double> shares(List<Load> loads) throws InterruptedException {
    Pause.of(rounds.settleNs());
    List<Sample> before = new ArrayList<>();
    for (Load load : loads) {
      before.add(load.sample());
    }
    Map<String, Double> shares = new HashMap<>();
    for (int i = 0; i < loads.size(); i++) {
      Sample from = before.get(i);
      Sample to = loads.get(i).sampleAt(from.atNs() + rounds.runNs());
      shares.put(loads.get(i).group(), to.share(from));
    }
    return shares;
  }

  static String told(String name, int run, int runs, Map<String, Double> shares, double error) {
    return "share: %s: run %d of %d: %s: error %.3f %%"
        .formatted(
            name,
            run + 1,
            runs,
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
