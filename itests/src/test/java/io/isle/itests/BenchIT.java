package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Benchmarks as a user calls them; each case once, no goal judged. */
@Alone("connections of rings end where processors are busy for seconds")
class BenchIT {
  private static final int LIMIT_S = 300;
  private static final Pattern FAILED = Pattern.compile("^bench \\S+ failed:", Pattern.MULTILINE);
  private static final String SKIPPED = "cases are skipped: ";

  /** In one call, and thus in one JVM: whichever benchmarks there are. */
  @TestFactory
  List<DynamicTest> everyBenchmarkRuns() throws Exception {
    Platform.Result smoke = isle("bench", "--smoke", "--json");
    assertEquals(0, smoke.code(), () -> reason(smoke.err()));
    JsonNode rows = smoke.json();
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : names()) {
      tests.add(dynamicTest(name, () -> areOfASmokeRun(of(name, rows))));
    }
    for (String line : smoke.err().lines().filter(line -> line.contains(SKIPPED)).toList()) {
      tests.add(dynamicTest(line, () -> Assumptions.abort(line)));
    }
    tests.add(dynamicTest("all cases of recovery", () -> areAllOfRecovery(of("recovery", rows))));
    return tests;
  }

  /** The failures, without the rows and the progress before the first of them. */
  private static String reason(String err) {
    Matcher failed = FAILED.matcher(err);
    return failed.find() ? err.substring(failed.start()) : err;
  }

  /** As the launcher tells somebody who names another one. */
  private static List<String> names() {
    String refused = isle("bench", "nonsense").failed(2).err();
    Matcher list = Pattern.compile("there are: \\[(.+)]").matcher(refused);
    assertTrue(list.find(), refused);
    return Arrays.asList(list.group(1).split(", ", -1));
  }

  private static List<JsonNode> of(String benchmark, JsonNode rows) {
    List<JsonNode> own = new ArrayList<>();
    for (JsonNode row : rows) {
      if (row.get("bench").asText().equals(benchmark)) {
        own.add(row);
      }
    }
    return own;
  }

  private static void areOfASmokeRun(List<JsonNode> rows) {
    assertFalse(rows.isEmpty(), "there are no rows");
    Set<String> cases = new HashSet<>();
    for (JsonNode row : rows) {
      assertTrue(cases.add(row.get("case").asText()), () -> "twice: " + row);
      assertEquals(1, row.get("n").asInt(), row::toString);
      assertTrue(row.get("goal").isNull(), row::toString);
      assertTrue(row.get("ours").isNumber(), row::toString);
      assertEquals(row.get("peer").isNull(), row.get("peer_name").isNull(), row::toString);
    }
  }

  private static void areAllOfRecovery(List<JsonNode> rows) {
    assertEquals(
        List.of(
            "crash-to-next-success-segv",
            "crash-to-next-success-segv-abs",
            "crash-to-next-success-abort",
            "crash-to-next-success-abort-abs",
            "crash-to-next-success-exit",
            "crash-to-next-success-exit-abs",
            "crash-to-next-success-kill",
            "crash-to-next-success-kill-abs",
            "burst",
            "hang",
            "rebuild-64-contexts",
            "reload-tier1",
            "jvm-host",
            "tier2-cost"),
        rows.stream().map(row -> row.get("case").asText()).toList());
  }

  @Test
  void oneBenchmarkIsATable() {
    String table = isle("bench", "share", "--smoke").succeeded().out();
    assertTrue(table.startsWith("case "), table);
    assertTrue(table.contains("\nlimit-change "), table);
    assertFalse(table.contains("decide-2"), table);
  }

  @Test
  void aMeasurementNeedsAName() {
    String refused = isle("bench", "--json").failed(2).err();
    assertTrue(refused.contains("usage: isle bench NAME"), refused);
  }

  private static Platform.Result isle(String... arguments) {
    return Call.isle(Map.of(), List.of(arguments)).end(LIMIT_S);
  }
}
