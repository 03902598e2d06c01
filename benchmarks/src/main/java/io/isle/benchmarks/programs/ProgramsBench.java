package io.isle.benchmarks.programs;

import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What programs of tenants get out of their devices, against the same work done without Isle. */
public final class ProgramsBench {
  static final String NAME = "programs";

  private final List<Cases> all;

  /** Cases that are measured together. */
  interface Cases {
    /**
     * Looks for what they are measured against.
     *
     * @throws io.isle.benchmarks.PeerMissingException naming what is to be installed
     */
    void checkPeers() throws IOException, InterruptedException;

    List<Row> run() throws IOException, InterruptedException;
  }

  public ProgramsBench(Settings settings, PrintStream progress) {
    all =
        List.of(
            new OpenClCases(settings, progress),
            new KernelCases(settings, progress),
            new OverlapCase(settings, progress));
  }

  /** Runs all cases, once all peers are there. */
  public List<Row> run() throws IOException, InterruptedException {
    for (Cases cases : all) {
      cases.checkPeers();
    }
    List<Row> rows = new ArrayList<>();
    for (Cases cases : all) {
      rows.addAll(cases.run());
    }
    return rows;
  }
}
