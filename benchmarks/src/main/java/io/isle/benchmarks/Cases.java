package io.isle.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Cases of a benchmark that are measured together. */
@FunctionalInterface
public interface Cases {
  /** Measures each case; a row, or several, a case. */
  List<Row> run() throws Exception;

  /** Names of the rows, for the message of a smoke run that leaves them out; none needs no peer. */
  default List<String> rows() {
    return List.of();
  }

  /**
   * Looks for the programs that the cases are measured against.
   *
   * @throws PeerMissingException naming what is to be installed
   */
  default void checkPeers() throws IOException, InterruptedException {}

  /**
   * Runs all cases once the peers of all are found. A smoke run names a peer that is missing and
   * leaves out the cases that need the peer.
   *
   * @throws PeerMissingException when a peer is missing and the run is no smoke run
   */
  static List<Row> runAll(
      String benchmark, List<Cases> all, Settings settings, PrintStream progress) throws Exception {
    List<Cases> ready = new ArrayList<>();
    for (Cases cases : all) {
      try {
        cases.checkPeers();
        ready.add(cases);
      } catch (PeerMissingException e) {
        if (!settings.smoke()) {
          throw e;
        }
        progress.printf(
            "%s: cases are skipped: %s: %s%n",
            benchmark, String.join(", ", cases.rows()), e.getMessage());
      }
    }
    List<Row> rows = new ArrayList<>();
    for (Cases cases : ready) {
      List<Row> made = cases.run();
      made.forEach(row -> progress.printf("%s: %s%n", benchmark, row.json()));
      rows.addAll(made);
    }
    return rows;
  }
}
