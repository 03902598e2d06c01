package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The net tile: links between tiles, and the tile without a kernel. */
public final class NetBench {
  static final String NAME = "net";

  private final Settings settings;
  private final PrintStream progress;

  public NetBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those with a row that the property {@code isle.bench.cases} names, separated
   * by commas.
   */
  public List<Row> run() throws Exception {
    List<Cases> all = new ArrayList<>(LinkCase.all(settings));
    all.add(new CoreCase(settings));
    String wanted = System.getProperty("isle.bench.cases", "");
    if (!wanted.isEmpty()) {
      List<String> names = List.of(wanted.split(",", -1));
      all.removeIf(cases -> cases.rows().stream().noneMatch(names::contains));
    }
    return Cases.runAll(NAME, all, settings, progress);
  }
}
