package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The tile without a kernel, on rings in memory. Each figure is of a JVM of its own, so that what
 * one compiles worse than another counts once.
 */
final class CoreCase implements Cases {
  private static final int PROCESSES = 9;
  private static final int WARM_UPS = 20;
  private static final int ROUNDS = 5;
  private static final int FRAMES = 1_920_000;
  private static final double RX_GOAL = 20e6;
  private static final double TX_GOAL = 15e6;
  private static final double MOST_BYTES = 0.5;

  private final Settings settings;
  private final int frames;

  CoreCase(Settings settings) {
    this.settings = settings;
    frames = settings.size(FRAMES, 6400);
  }

  @Override
  public List<String> rows() {
    return List.of("core-rx", "core-tx", "core-alloc");
  }

  @Override
  public List<Row> run() throws IOException {
    int processes = settings.size(PROCESSES, 1);
    double[] rx = new double[processes];
    double[] tx = new double[processes];
    double[] bytes = new double[processes];
    for (int i = 0; i < processes; i++) {
      try (JavaProcess tile = new JavaProcess(settings, "0,1", TileProcess.class, List.of())) {
        for (int warmUp = 0; warmUp < settings.size(WARM_UPS, 1); warmUp++) {
          double ignored = tile.ask("rx " + frames) + tile.ask("tx " + frames);
        }
        rx[i] = 1e9 / median(tile, "rx " + frames);
        tx[i] = 1e9 / median(tile, "tx " + frames);
        bytes[i] = tile.ask("alloc " + frames);
      }
    }
    return List.of(
        Row.absolute(NetBench.NAME, "core-rx", "/s", "higher", rx, RX_GOAL),
        Row.absolute(NetBench.NAME, "core-tx", "/s", "higher", tx, TX_GOAL),
        Row.absolute(NetBench.NAME, "core-alloc", "B", "lower", bytes, MOST_BYTES));
  }

  /** Of some rounds: work of others on the machine spoils a few of them. */
  private double median(JavaProcess tile, String command) throws IOException {
    double[] nanos = new double[settings.size(ROUNDS, 1)];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = tile.ask(command);
    }
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }
}
