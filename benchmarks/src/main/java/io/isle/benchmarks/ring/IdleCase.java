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

  /** Of 5 s, in a window of 10 s: the next window begins a step later. */
  private static final int STEPS = 2;

  private static final double GOAL_PERCENT = 1;
  private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*(\\d+)");

  private final Settings settings;

  IdleCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    double[] percent = new double[settings.size(SAMPLES, 1)];
    long stepMs = settings.size(5_000L, 100L);
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
      // nodes that do little reach the compilers' thresholds slowly
      TimeUnit.MILLISECONDS.sleep(settings.size(40_000L, 1L));
      double[] used = new double[percent.length + STEPS];
      long[] at = new long[used.length];
      for (int i = 0; i < used.length; i++) {
        used[i] = used(nodes);
        at[i] = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(i < used.length - 1 ? stepMs : 0);
      }
      for (int i = 0; i < percent.length; i++) {
        percent[i] = 100 * (used[i + STEPS] - used[i]) / (at[i + STEPS] - at[i]);
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
