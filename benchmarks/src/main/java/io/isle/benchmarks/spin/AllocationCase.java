package io.isle.benchmarks.spin;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** Bytes on the heap for a packet, from its arrival to the end of its last task. */
final class AllocationCase implements Cases {
  private static final String ROW = "alloc";
  private static final int PACKETS = 200_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL_BYTES = 0.5;

  private final Settings settings;

  AllocationCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() throws IOException {
    String packets = Integer.toString(settings.size(PACKETS, 1000));
    double[] ours = new double[settings.size(SpinBench.PAIRS, 1)];
    try (JavaProcess process =
        new JavaProcess(settings, "1", SpinProcess.class, List.of(), "allocation")) {
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(packets);
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(packets);
      }
    }
    return List.of(Row.absolute(SpinBench.NAME, ROW, "B", "lower", ours, GOAL_BYTES));
  }
}
