package io.isle.benchmarks.share;

import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.List;

/**
 * What a group gets done that asks for less than it is promised, and for more than half of the
 * device, while another one floods it, over alone. It has no ceiling: nothing but the device and
 * the flood keeps it from its pace.
 */
final class NeighbourCase {
  static final String NAME = "noisy-neighbour";

  private static final double GOAL = 0.98;
  private static final long PROMISED_PERCENT = 80;
  private static final long ASKED_PERCENT = 75;
  private static final long EVERY_NS = 1000 * FloodCase.WORK_US * 100 / ASKED_PERCENT;

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;

  NeighbourCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  List<Row> run() throws InterruptedException {
    int pairs = rounds.pairs();
    double[] flooded = new double[pairs];
    double[] alone = new double[pairs];
    try (LocalPlatform platform = new LocalPlatform(settings.nativeDirectory(), 1)) {
      platform.setGroups(
          Promises.atLeast("a", rounds.periodUs() * PROMISED_PERCENT / 100, rounds.periodUs()),
          Promises.none("c"));
      try (Load quiet = Load.paced(platform, "a", FloodCase.WORK_US, EVERY_NS)) {
        for (int pair = 0; pair < pairs; pair++) {
          // who comes first in a pair takes turns, so that what drifts hits both
          boolean first = pair % 2 == 0;
          double early = rate(platform, quiet, first);
          double late = rate(platform, quiet, !first);
          flooded[pair] = first ? early : late;
          alone[pair] = first ? late : early;
          progress.printf(
              "share: %s: pair %d of %d: %.4f%n",
              NAME, pair + 1, pairs, flooded[pair] / alone[pair]);
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

  private double rate(LocalPlatform platform, Load quiet, boolean flooded)
      throws InterruptedException {
    if (!flooded) {
      return quiet.rate(rounds.settleNs(), rounds.runNs());
    }
    try (Load flood = Load.busy(platform, "c", FloodCase.WORK_US)) {
      double rate = quiet.rate(rounds.settleNs(), rounds.runNs());
      flood.check();
      return rate;
    }
  }
}
