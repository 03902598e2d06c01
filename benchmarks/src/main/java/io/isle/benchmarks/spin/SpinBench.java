package io.isle.benchmarks.spin;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The matcher, tasks and answers of a programmable network interface, against programs in C, and
 * what its tenants get of each other.
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

  /**
   * Runs all cases, or those with a row that the property {@code isle.bench.cases} names, separated
   * by commas.
   */
  public List<Row> run() throws Exception {
    List<Cases> all =
        new ArrayList<>(
            List.of(
                new MatchCase(settings),
                new AllocationCase(settings),
                new DispatchCase(settings),
                new PingCase(settings),
                new ShareCase(settings),
                new NeighbourCase(settings)));
    String wanted = System.getProperty("isle.bench.cases", "");
    if (!wanted.isEmpty()) {
      List<String> names = List.of(wanted.split(",", -1));
      all.removeIf(cases -> cases.rows().stream().noneMatch(names::contains));
    }
    return Cases.runAll(NAME, all, settings, progress);
  }
}
