package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Instance;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The processor time of three nodes in processes of their own, without packets. Nodes that do
 * little reach the thresholds of the JVM's compilers slowly, so the ring begins before other cases.
 */
final class IdleCase implements Cases, AutoCloseable {
  private static final String RING = "idle";
  private static final int NODES = 3;
  private static final int SAMPLES = 9;

  /** Of 5 s, in a window of 10 s: the next window begins a step later. */
  private static final int STEPS = 2;

  private static final double GOAL_PERCENT = 1;
  private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*(\\d+)");

  /** Compilers have little left to do then. */
  private static final long AGE_NS = TimeUnit.SECONDS.toNanos(240);

  private final Settings settings;
  private final PrintStream progress;
  private Instance instance;
  private long beginNs;

  IdleCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** A case without rows that begins the ring. */
  Cases begin() {
    return () -> {
      start();
      return List.of();
    };
  }

  private void start() throws IOException, InterruptedException {
    instance = new Instance(settings, List.of());
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
    beginNs = System.nanoTime();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    try {
      return List.of(
          Row.absolute(RingBench.NAME, "idle-cpu", "%", "lower", measured(), GOAL_PERCENT));
    } finally {
      close();
    }
  }

  private double[] measured() throws IOException, InterruptedException {
    List<Long> nodes = running(instance);
    long leftNs = settings.size(AGE_NS, 1L) - (System.nanoTime() - beginNs);
    if (leftNs > TimeUnit.SECONDS.toNanos(1)) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(leftNs);
      progress.printf("%s: idle-cpu begins in %d s%n", RingBench.NAME, seconds);
      TimeUnit.SECONDS.sleep(seconds);
    }
    double[] percent = percent(nodes);
    if (!running(instance).equals(nodes)) {
      throw new IllegalStateException("a process of a node has ended during the measurement");
    }
    return percent;
  }

  private double[] percent(List<Long> nodes) throws IOException, InterruptedException {
    double[] percent = new double[settings.size(SAMPLES, 1)];
    long stepMs = settings.size(5_000L, 100L);
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
    return percent;
  }

  @Override
  public void close() throws IOException {
    if (instance != null) {
      try (Instance ended = instance) {
        instance = null;
        String ignored = ended.command("ring:remove", RING);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while the ring is removed", e);
      }
    }
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
