package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processor time of three nodes in processes of their own, without packets. */
final class IdleCase implements Cases {
  private static final int NODES = 3;
  private static final int SAMPLES = 9;
  private static final double GOAL_PERCENT = 1;

  private final Settings settings;

  IdleCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    List<JavaProcess> nodes = new ArrayList<>();
    try {
      List<String> addresses = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        addresses.add(FreeAddress.of("tcp"));
      }
      for (int i = 0; i < NODES; i++) {
        nodes.add(
            new JavaProcess(
                "0,1",
                RingProcess.class,
                List.of(),
                i == 0 ? "ping" : "pass",
                "isle",
                addresses.get(i),
                addresses.get((i + 1) % NODES),
                "16392",
                "50",
                "64"));
      }
      double ignored = nodes.getFirst().ask("running 0") + nodes.getFirst().ask("rtt 1000");
      return List.of(
          Row.absolute(RingBench.NAME, "idle-cpu", "%", "lower", idle(nodes), GOAL_PERCENT));
    } finally {
      for (JavaProcess node : nodes) {
        node.close();
      }
    }
  }

  private double[] idle(List<JavaProcess> nodes) throws IOException, InterruptedException {
    double[] percent = new double[settings.size(SAMPLES, 1)];
    long windowMs = settings.size(10_000L, 200L);
    // the compilers still work on what has run so far
    TimeUnit.MILLISECONDS.sleep(settings.size(3000L, 1L));
    for (int i = 0; i < percent.length; i++) {
      double before = used(nodes);
      long begin = System.nanoTime();
      TimeUnit.MILLISECONDS.sleep(windowMs);
      percent[i] = 100 * (used(nodes) - before) / (System.nanoTime() - begin);
    }
    return percent;
  }

  private static double used(List<JavaProcess> nodes) throws IOException {
    double ns = 0;
    for (JavaProcess node : nodes) {
      ns += ProcessTime.ns(node.pid());
    }
    return ns;
  }
}
