package io.isle.benchmarks.share;

import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.List;

/** What a group with a promise gets done while another one floods the device, over alone. */
final class NeighbourCase {
  static final String NAME = "noisy-neighbour";

  private static final int PAIRS = 15;
  private static final double GOAL = 0.98;

  private final Settings settings;
  private final PrintStream progress;

  NeighbourCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  List<Row> run() throws InterruptedException {
    double[] flooded = new double[PAIRS];
    double[] alone = new double[PAIRS];
    try (LocalPlatform platform = new LocalPlatform(settings.nativeDirectory(), 1)) {
      platform.setGroups(
          Promises.exactly("a", FloodCase.PERIOD_US / 2, FloodCase.PERIOD_US), Promises.none("c"));
      try (Load quiet = Load.busy(platform, "a", FloodCase.WORK_US)) {
        for (int pair = 0; pair < PAIRS; pair++) {
          alone[pair] = rate(quiet);
          try (Load flood = Load.busy(platform, "c", FloodCase.WORK_US)) {
            flooded[pair] = rate(quiet);
            var ignored = flood.sample();
          }
          progress.printf(
              "share: %s: pair %d of %d: %.4f%n",
              NAME, pair + 1, PAIRS, flooded[pair] / alone[pair]);
        }
      }
    }
    return List.of(
        Row.against(
            ShareBench.NAME,
            NAME,
            "/s",
            "higher",
            flooded,
            alone,
            "the same group without the flood",
            GOAL));
  }

  /** Submissions a second, as many as its CPU time makes. */
  private static double rate(Load load) throws InterruptedException {
    Pause.of(FloodCase.SETTLE_NS);
    Sample from = load.sample();
    return load.sampleAt(from.atNs() + ShareBench.RUN_NS).share(from) * 1e6 / FloodCase.WORK_US;
  }
}
