package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Instance;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The processor time of three nodes in processes of their own, without packets. */
final class IdleCase implements Cases {
  private static final String RING = "idle";
  private static final int NODES = 3;
  private static final int SAMPLES = 9;
  private static final double GOAL_PERCENT = 1;
  private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*(\\d+)");

  private final Settings settings;

  IdleCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    double[] percent = new double[settings.size(SAMPLES, 1)];
    long windowMs = settings.size(10_000L, 200L);
    try (Instance instance = new Instance(settings, List.of())) {
      // the master has no process of its own
      String ignored =
          instance.command(
              "ring:create",
              RING,
              "--nodes",
              Integer.toString(NODES + 1),
              "--transport",
              "tcp",
              "--stage",
              "pass",
              "--process",
              "own");
      List<Long> nodes = running(instance);
      // nodes that do little reach the compilers' thresholds within the first minute
      TimeUnit.MILLISECONDS.sleep(settings.size(60_000L, 1L));
      for (int i = 0; i < percent.length; i++) {
        double before = used(nodes);
        long begin = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(windowMs);
        percent[i] = 100 * (used(nodes) - before) / (System.nanoTime() - begin);
      }
      if (!running(instance).equals(nodes)) {
        throw new IllegalStateException("a process of a node has ended during the measurement");
      }
    }
    return List.of(Row.absolute(RingBench.NAME, "idle-cpu", "%", "lower", percent, GOAL_PERCENT));
  }

  private static List<Long> running(Instance instance) throws IOException, InterruptedException {
    String status = instance.command("ring:status", RING, "--json");
    List<Long> pids = pids(status);
    long running =
        Pattern.compile("\"state\"\\s*:\\s*\"running\"").matcher(status).results().count();
    if (pids.size() != NODES || running != NODES + 1) {
      throw new IllegalStateException(
          "the ring of " + NODES + " processes does not run: " + status);
    }
    return pids;
  }

  /** The processes in the output of {@code ring:status --json}, in the order of the ring. */
  static List<Long> pids(String status) {
    return PID.matcher(status).results().map(found -> Long.valueOf(found.group(1))).toList();
  }

  private static double used(List<Long> nodes) throws IOException {
    double ns = 0;
    for (long node : nodes) {
      ns += ProcessTime.ns(node);
    }
    return ns;
  }
}
