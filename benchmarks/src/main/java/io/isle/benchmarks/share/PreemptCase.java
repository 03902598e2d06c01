package io.isle.benchmarks.share;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.device.Priority;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;

/**
 * How long a realtime submission waits for background work to leave the device: from its submission
 * to its start there.
 */
final class PreemptCase {
  static final String NAME = "preempt-latency";

  /** The driver's work looks at least as often whether it is to leave. */
  private static final double CHECK_NS = 100_000;

  private static final double GOAL = 0.5;
  private static final long LEAST_PAUSE_NS = 2_000_000;
  private static final long MORE_PAUSE_NS = 4_000_000;
  private static final long WORK_US = 20;
  private static final long PERIOD_US = 100_000;
  private static final int HASHED_BYTES = 16 << 20;

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;
  private final SplittableRandom random = new SplittableRandom();

  PreemptCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  List<Row> run() throws InterruptedException {
    double[] medians = new double[rounds.runs()];
    double[] all = new double[0];
    for (int run = 0; run < rounds.runs(); run++) {
      double[] waits = measure();
      medians[run] = Row.median(waits);
      int before = all.length;
      all = Arrays.copyOf(all, before + waits.length);
      System.arraycopy(waits, 0, all, before, waits.length);
      progress.printf(
          "share: %s: run %d of %d: p50 %.0f ns, p99 %.0f ns%n",
          NAME, run + 1, rounds.runs(), medians[run], Row.quantile(waits, 0.99));
    }
    double[] interval = new double[rounds.runs()];
    Arrays.fill(interval, CHECK_NS);
    return List.of(
        Row.against(ShareBench.NAME, NAME, "ns", "lower", medians, interval, "check interval", GOAL)
            .withP99(all));
  }

  private double[] measure() throws InterruptedException {
    Map<String, String> where = Map.of("preemption", "instruction");
    try (LocalPlatform platform =
        new LocalPlatform(settings.nativeDirectory(), 1, where, Map.of())) {
      platform.setGroups(
          Promises.atLeast("urgent", PERIOD_US / 4, PERIOD_US), Promises.none("later"));
      try (Load later = Load.hashing(platform, "later", HASHED_BYTES);
          Context context =
              platform
                  .accelerator()
                  .open(
                      platform.capability("urgent"),
                      ContextSpec.named("urgent").withPriority(Priority.REALTIME))) {
        Program busy = context.load(new ProgramSource.Builtin("busy"));
        double[] waits = new double[rounds.submissions()];
        for (int i = -rounds.warmUp(); i < waits.length; i++) {
          Pause.of(LEAST_PAUSE_NS + random.nextLong(MORE_PAUSE_NS));
          double wait = waited(context, busy);
          if (i >= 0) {
            waits[i] = wait;
          }
        }
        later.check();
        return waits;
      }
    }
  }

  private static double waited(Context context, Program busy) throws InterruptedException {
    CommandWriter writer = context.writer().dispatch(busy, 0, 1, 1, 1).argU64(WORK_US);
    long submitted = System.nanoTime();
    try {
      Completion end = context.submitAsync(writer).get();
      if (end.status() != 0) {
        throw new IllegalStateException("an urgent submission ended with " + end.status());
      }
      return end.startNs() - submitted;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an urgent submission failed", e);
    }
  }
}
