package io.isle.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CasesTest {
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private int measured;

  private List<Row> row(String name) {
    measured++;
    return List.of(Row.absolute("b", name, "ns", "lower", new double[] {1}, null));
  }

  private List<String> run(boolean smoke) throws Exception {
    Cases without =
        new Cases() {
          @Override
          public List<Row> run() {
            return row("without");
          }

          @Override
          public List<String> rows() {
            return List.of("without", "without-too");
          }

          @Override
          public void checkPeers() {
            throw new PeerMissingException("tool is missing: apt-get install tool");
          }
        };
    return Cases.runAll(
            "b",
            List.of(() -> row("first"), without, () -> row("last")),
            Settings.of(new Properties(), smoke, new Instances()),
            new PrintStream(told, true, StandardCharsets.UTF_8))
        .stream()
        .map(Row::name)
        .toList();
  }

  @Test
  void nothingIsMeasuredWithoutAPeer() {
    assertThrows(PeerMissingException.class, () -> run(false));
    assertEquals(0, measured);
  }

  @Test
  void aSmokeRunNamesThePeerAndRunsTheOtherCases() throws Exception {
    assertEquals(List.of("first", "last"), run(true));
    String line = told.toString(StandardCharsets.UTF_8);
    assertTrue(
        line.startsWith(
            "b: cases are skipped: without, without-too: tool is missing: apt-get install tool"),
        line);
  }
}
