package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** A figure of guarded decisions, without a peer. */
final class GuardedCase implements Cases {
  private static final int WARM_UPS = 4;

  private final Settings settings;
  private final String row;
  private final String unit;
  private final Loops loop;
  private final int rounds;
  private final double goal;

  GuardedCase(Settings settings, String row, String unit, Loops loop, int rounds, double goal) {
    this.settings = settings;
    this.row = row;
    this.unit = unit;
    this.loop = loop;
    this.rounds = settings.size(rounds, 100);
    this.goal = goal;
  }

  @Override
  public List<String> rows() {
    return List.of(row);
  }

  @Override
  public List<Row> run() throws IOException {
    double[] ours = new double[settings.size(InferenceBench.PAIRS, 1)];
    try (JavaProcess process = LoopProcess.start(settings, loop)) {
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(Integer.toString(rounds));
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(Integer.toString(rounds));
      }
    }
    return List.of(Row.absolute(InferenceBench.NAME, row, unit, "lower", ours, goal));
  }
}
