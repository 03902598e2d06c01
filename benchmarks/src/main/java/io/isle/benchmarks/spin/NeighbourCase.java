package io.isle.benchmarks.spin;

import io.isle.api.spin.ContextStats;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerImage;
import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of a flooding group beside one whose handler loops until its limit, against those beside
 * one whose handler ends by itself after the same time.
 */
final class NeighbourCase implements Cases {
  private static final String ROW = "loop-neighbour";
  private static final int[] WEIGHTS = {100, 100};
  private static final int TASK_US = 100;
  private static final int LIMIT_US = 5_000;

  /** A little less, so that no such task is ended. */
  private static final int ENDS_US = 4_900;

  private static final int WARM_UPS = 3;
  private static final long BEGIN_MS = 200;
  private static final long WINDOW_MS = 1_000;
  private static final long SMOKE_WINDOW_MS = 100;
  private static final double GOAL = 0.95;

  private final Settings settings;
  private final Handlers handlers;

  NeighbourCase(Settings settings) {
    this.settings = settings;
    handlers = new Handlers(settings);
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    handlers.check();
  }

  @Override
  public List<Row> run() throws Exception {
    HandlerImage busy = handlers.ofText("busy", Handlers.busy(TASK_US));
    HandlerImage loops = handlers.ofText("loops", Handlers.LOOP);
    HandlerImage ends = handlers.ofText("ends", Handlers.busy(ENDS_US));
    Map<String, String> device =
        Map.of("driver", "spin", "trap_limit", "0", "handler_limit_us", Integer.toString(LIMIT_US));
    double[] besideLoop = new double[settings.size(SpinBench.PAIRS, 1)];
    double[] besideEnd = new double[besideLoop.length];
    try (FloodedNic nic = new FloodedNic(settings, WEIGHTS, device);
        ExecutionContext context = nic.attach(0, busy)) {
      for (int i = 0; i < settings.size(WARM_UPS, 0); i++) {
        double ignored = rate(nic, context, loops, true);
      }
      for (int i = 0; i < besideLoop.length; i++) {
        besideLoop[i] = rate(nic, context, loops, true);
        besideEnd[i] = rate(nic, context, ends, false);
      }
    }
    return List.of(
        Row.against(
            SpinBench.NAME,
            ROW,
            "tasks/s",
            "higher",
            besideLoop,
            besideEnd,
            "beside a handler that ends after the same time",
            GOAL));
  }

  private double rate(FloodedNic nic, ExecutionContext context, HandlerImage other, boolean traps)
      throws IOException, InterruptedException {
    try (ExecutionContext neighbour = nic.attach(1, other)) {
      TimeUnit.MILLISECONDS.sleep(settings.size(BEGIN_MS, 0L));
      long start = System.nanoTime();
      long before = context.info().stats().tasks();
      TimeUnit.MILLISECONDS.sleep(settings.size(WINDOW_MS, SMOKE_WINDOW_MS));
      long tasks = context.info().stats().tasks() - before;
      long nanos = System.nanoTime() - start;
      check(neighbour, traps);
      return tasks * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }
  }

  /** On a busy machine, where smoke runs are, the limit of any time may end a handler, too. */
  private void check(ExecutionContext neighbour, boolean traps) {
    EmbeddedPlatform.await("a task beside it", () -> neighbour.info().stats().tasks() > 0);
    ContextStats stats = neighbour.info().stats();
    if (!settings.smoke() && stats.traps() != (traps ? stats.tasks() : 0)) {
      throw new IllegalStateException(
          "of " + stats.tasks() + " tasks beside it, " + stats.traps() + " trap");
    }
  }
}
