package io.isle.benchmarks.share;

import io.isle.api.tenancy.GroupSpec;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How long after the change of a group's limit the group gets what the new one says: from then on,
 * in every stretch of time as long as the limit's period.
 */
final class LimitCase {
  static final String NAME = "limit-change";

  private static final double GOAL_NS = 1_000_000_000;

  private static final long SAMPLE_NS = 5_000_000;

  /** What a stretch may be off by: two samples at each of its ends, 2 % of it. */
  static final long TOLERANCE_NS = 4 * SAMPLE_NS;

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;
  private final SplittableRandom random = new SplittableRandom();

  LimitCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  List<Row> run() throws InterruptedException {
    double[] effects = new double[rounds.runs()];
    for (int run = 0; run < rounds.runs(); run++) {
      boolean down = run % 2 == 0;
      long half = rounds.periodUs() / 2;
      effects[run] = measure(down ? half : half / 2, down ? half / 2 : half);
      progress.printf(
          "share: %s: run %d of %d: %s after %.0f ms%n",
          NAME, run + 1, rounds.runs(), down ? "less" : "more", effects[run] / 1e6);
    }
    return List.of(
        Row.absolute(ShareBench.NAME, NAME, "ns", "lower", effects, GOAL_NS).withP99(effects));
  }

  private double measure(long beforeUs, long afterUs) throws InterruptedException {
    GroupSpec flood = Promises.none("c");
    long period = rounds.periodNs();
    // every stretch that begins within so much of the change is looked at
    long watched = 2 * period;
    try (LocalPlatform platform = new LocalPlatform(settings.nativeDirectory(), 1)) {
      platform.setGroups(Promises.upTo("a", beforeUs, rounds.periodUs()), flood);
      try (Load a = Load.busy(platform, "a", FloodCase.WORK_US);
          Load c = Load.busy(platform, "c", FloodCase.WORK_US)) {
        // anywhere in a period
        Pause.of(period + period / 10 + random.nextLong(period));
        List<Sample> samples = new ArrayList<>(List.of(a.sample()));
        long changed = System.nanoTime();
        platform.setGroups(Promises.upTo("a", afterUs, rounds.periodUs()), flood);
        long end = changed + watched + period + SAMPLE_NS;
        for (long next = changed + SAMPLE_NS; next < end + SAMPLE_NS; next += SAMPLE_NS) {
          Pause.until(next);
          samples.add(a.sample());
          c.check();
        }
        return effect(samples, changed, period, 1000 * afterUs, watched);
      }
    }
  }

  /**
   * The time from a change to the first moment from which every stretch of a period that begins
   * within {@code watchedNs} of the change has its quota; at most {@code watchedNs}.
   *
   * @param samples from before the change to a period after what is watched
   */
  static long effect(
      List<Sample> samples, long changedNs, long periodNs, long quotaNs, long watchedNs) {
    long off = -1;
    for (long from = 0; from <= watchedNs; from += SAMPLE_NS) {
      long begin = changedNs + from;
      long used = cpuAt(samples, begin + periodNs) - cpuAt(samples, begin);
      if (Math.abs(used - quotaNs) > TOLERANCE_NS) {
        off = from;
      }
    }
    return off < 0 ? 0 : Math.min(watchedNs, off + SAMPLE_NS);
  }

  /** Between two samples it was used evenly. */
  private static long cpuAt(List<Sample> samples, long at) {
    int i = 1;
    while (i < samples.size() - 1 && samples.get(i).atNs() < at) {
      i++;
    }
    Sample before = samples.get(i - 1);
    Sample after = samples.get(i);
    return after.back(before, at).cpuNs();
  }
}
