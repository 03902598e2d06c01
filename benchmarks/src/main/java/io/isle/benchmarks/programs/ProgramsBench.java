package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.List;

/** What programs of tenants get out of their devices, against the same work done without Isle. */
public final class ProgramsBench {
  static final String NAME = "programs";

  private final Settings settings;
  private final PrintStream progress;

  public ProgramsBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs all cases, once all peers are there. */
  public List<Row> run() throws Exception {
    return Cases.runAll(
        NAME,
        List.of(
            new OpenClCases(settings, progress),
            new MatmulCases(settings, progress),
            new ConvolutionCase(settings, progress),
            new OverlapCase(settings, progress)),
        settings,
        progress);
  }
}
