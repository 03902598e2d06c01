package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Answers of models, alone and guarded, against C and ONNX Runtime. */
public final class InferenceBench {
  static final String NAME = "inference";

  /** Pairs of measurements. */
  static final int PAIRS = 15;

  private final Settings settings;
  private final PrintStream progress;

  public InferenceBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those with a row that the property {@code isle.bench.cases} names, separated
   * by commas.
   */
  public List<Row> run() throws Exception {
    List<Cases> all =
        new ArrayList<>(
            List.of(
                new NetKernelCase(settings),
                new NetGuardedCase(settings),
                new TreeCase(settings),
                new GuardedCase(
                    settings, "table-guarded", "ns", Loops.TABLE_GUARDED, 5_000_000, 80),
                new GuardedCase(settings, "alloc", "B", Loops.ALLOCATION, 200_000, 0.5),
                new VerifyCase(settings),
                new GuardedCase(settings, "swap-first", "ns", Loops.SWAP_FIRST, 1000, 10_000),
                new EstimateErrorCase(settings, progress),
                new EstimateSubmitCase(settings, progress)));
    String wanted = System.getProperty("isle.bench.cases", "");
    if (!wanted.isEmpty()) {
      List<String> names = List.of(wanted.split(",", -1));
      all.removeIf(cases -> cases.rows().stream().noneMatch(names::contains));
    }
    return Cases.runAll(NAME, all, settings, progress);
  }
}
