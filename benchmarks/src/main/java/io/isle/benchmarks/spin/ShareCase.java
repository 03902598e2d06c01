package io.isle.benchmarks.spin;

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

/** How exactly two flooding groups share the time of the HPUs by their weights, 3 to 1. */
final class ShareCase implements Cases {
  private static final String ROW = "share-3-1";
  private static final int[] WEIGHTS = {300, 100};
  private static final int TASK_US = 100;
  private static final long WINDOW_MS = 4_000;
  private static final long SMOKE_WINDOW_MS = 100;
  private static final int RUNS = 9;
  private static final double PERCENT = 100;
  private static final double GOAL = 1;

  private final Settings settings;
  private final Handlers handlers;

  ShareCase(Settings settings) {
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
    double[] errors = new double[settings.size(RUNS, 1)];
    try (FloodedNic nic = new FloodedNic(settings, WEIGHTS, Map.of("driver", "spin"));
        ExecutionContext first = nic.attach(0, busy);
        ExecutionContext second = nic.attach(1, busy)) {
      for (int i = 0; i < errors.length; i++) {
        errors[i] = error(first, second);
      }
    }
    return List.of(Row.absolute(SpinBench.NAME, ROW, "%", "lower", errors, GOAL));
  }

  private double error(ExecutionContext first, ExecutionContext second)
      throws InterruptedException {
    long firstBefore = first.info().stats().hpuNs();
    long secondBefore = second.info().stats().hpuNs();
    TimeUnit.MILLISECONDS.sleep(settings.size(WINDOW_MS, SMOKE_WINDOW_MS));
    EmbeddedPlatform.await(
        "a task of each group",
        () ->
            first.info().stats().hpuNs() > firstBefore
                && second.info().stats().hpuNs() > secondBefore);
    double firstNs = first.info().stats().hpuNs() - firstBefore;
    double secondNs = second.info().stats().hpuNs() - secondBefore;
    double wanted = (double) WEIGHTS[0] / WEIGHTS[1];
    return Math.abs(firstNs / secondNs / wanted - 1) * PERCENT;
  }
}
