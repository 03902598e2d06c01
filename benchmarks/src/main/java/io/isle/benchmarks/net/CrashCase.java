package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Instance;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A tile in a process of its own is killed while an app sends frames back: the time without
 * answers, with a standby that takes over, and with a cold start, because the standby is killed
 * before.
 */
final class CrashCase implements Cases {
  private static final String ROW = "crash-gap-process";
  private static final String NAME = "bench-crash";
  private static final int PAIRS = 9;
  private static final double GOAL = 2;
  private static final long RATE = 10_000;
  private static final String PEER = "a cold start of tile-host behind the kill";
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** A process that has lived so long is followed by the next one without a delay. */
  private static final long LONG_LIFE_MS = 1100;

  private static final long ANSWERS = 500;

  private final Settings settings;

  CrashCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() throws Exception {
    int pairs = settings.size(PAIRS, 1);
    double[] warm = new double[pairs];
    double[] cold = new double[pairs];
    try (Instance instance = new Instance(settings, List.of())) {
      LabPrograms lab =
          LabPrograms.of(settings, instance.command("net:lab", "create", NAME, "--json"));
      try {
        create(instance);
        try (XskProgram client = lab.gaps(ROW, "drv")) {
          for (int i = 0; i < pairs; i++) {
            warm[i] = gap(instance, client, false);
            cold[i] = gap(instance, client, true);
          }
        }
      } finally {
        delete(instance);
      }
    }
    return List.of(Row.against(NetBench.NAME, ROW, "ns", "lower", warm, cold, PEER, GOAL));
  }

  private static void create(Instance instance) throws IOException, InterruptedException {
    String ring = Integer.toString(LabPrograms.RING);
    String ignored =
        instance.command(
            "net:create",
            NAME,
            "interface=vb",
            "netns=lab:" + NAME,
            "mode=drv",
            "placement=process",
            "rx_queue=" + ring,
            "tx_queue=" + ring,
            "app_frames=" + ring);
    ignored = instance.command("net:app-create", NAME, "kind=echo", "nets=" + NAME, "ports=9000");
  }

  /** All that there is; the instance may go on. */
  private static void delete(Instance instance) throws IOException, InterruptedException {
    for (List<String> command :
        List.of(
            List.of("net:app-delete", NAME),
            List.of("net:delete", NAME),
            List.of("net:lab", "delete", NAME))) {
      try {
        String ignored = instance.command(command.toArray(String[]::new));
      } catch (Commands.FailedException e) {
        // not made
      }
    }
  }

  private double gap(Instance instance, XskProgram client, boolean isCold)
      throws IOException, InterruptedException {
    Processes before = await(instance, OptionalLong.empty(), true);
    TimeUnit.MILLISECONDS.sleep(settings.size(LONG_LIFE_MS, 0L));
    client.go(RATE);
    awaitAnswers(client);
    if (isCold) {
      kill(before.standby);
    }
    kill(before.running);
    Processes ignored = await(instance, before.running, false);
    awaitAnswers(client);
    return client.stop().nanos();
  }

  private static void awaitAnswers(XskProgram client) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_NS;
    long wanted = client.count() + ANSWERS;
    while (client.count() < wanted) {
      if (System.nanoTime() - end >= 0) {
        throw new IOException(ROW + ": no frames come back within 30 s");
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static void kill(OptionalLong pid) {
    boolean ignored =
        ProcessHandle.of(pid.orElseThrow()).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  /** The process of the tile, and the one that waits. */
  private record Processes(OptionalLong running, OptionalLong standby) {
    static Processes of(String json) {
      return new Processes(JsonText.number(json, "host_pid"), JsonText.number(json, "standby_pid"));
    }
  }

  /** Waits for a process other than one of before, and for its standby if that is wanted. */
  private static Processes await(Instance instance, OptionalLong before, boolean withStandby)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_NS;
    while (true) {
      String json = instance.command("net:info", NAME, "--json");
      Processes now = Processes.of(json);
      boolean runs = now.running.isPresent() && !now.running.equals(before);
      if (runs && (now.standby.isPresent() || !withStandby)) {
        return now;
      }
      if (System.nanoTime() - end >= 0) {
        throw new IOException(ROW + ": no other process within 30 s: " + json);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
