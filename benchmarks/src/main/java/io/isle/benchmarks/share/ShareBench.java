package io.isle.benchmarks.share;

import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What groups get of a device, measured by the CPU time of the threads that do their work, not by
 * the scheduler's books.
 */
public final class ShareBench {
  static final String NAME = "share";

  private final Settings settings;
  private final PrintStream progress;

  public ShareBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  private interface Case {
    List<Row> run() throws IOException, InterruptedException;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas.
   */
  public List<Row> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    take(FloodCase.NAME, rows, new FloodCase(settings, progress)::run);
    take(LimitCase.NAME, rows, new LimitCase(settings, progress)::run);
    take(PreemptCase.NAME, rows, new PreemptCase(settings, progress)::run);
    take(NeighbourCase.NAME, rows, new NeighbourCase(settings, progress)::run);
    return rows;
  }

  private void take(String name, List<Row> rows, Case one)
      throws IOException, InterruptedException {
    String wanted = System.getProperty("isle.bench.cases", "");
    if (wanted.isEmpty() || List.of(wanted.split(",", -1)).contains(name)) {
      List<Row> made = one.run();
      made.forEach(row -> progress.println("share: " + row.json()));
      rows.addAll(made);
    }
  }
}
