package io.isle.benchmarks.spin;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.List;

/**
 * The matcher, tasks and answers of a programmable network interface, each against programs in C.
 */
public final class SpinBench {
  static final String NAME = "spin";

  /** Pairs of measurements. */
  static final int PAIRS = 15;

  private final Settings settings;
  private final PrintStream progress;

  public SpinBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs all cases. */
  public List<Row> run() throws Exception {
    return Cases.runAll(
        NAME,
        List.of(
            new MatchCase(settings),
            new AllocationCase(settings),
            new DispatchCase(settings),
            new PingCase(settings)),
        settings,
        progress);
  }
}
