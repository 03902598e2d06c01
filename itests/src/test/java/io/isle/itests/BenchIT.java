package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Benchmarks as a user calls them; each case once, no goal judged. */
class BenchIT {
  @Test
  void recoveryRunsToAllItsRows() throws Exception {
    JsonNode rows = isle("bench", "recovery", "--json", "--smoke").succeeded().json();
    List<String> cases = new ArrayList<>();
    for (JsonNode row : rows) {
      cases.add(row.get("case").asText());
      assertEquals(1, row.get("n").asInt(), row::toString);
      assertTrue(row.get("goal").isNull(), row::toString);
    }
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
        cases);
  }

  @Test
  void smokeIsRefusedWhereThereIsNone() {
    Platform.Result refused = isle("bench", "share", "--smoke").failed(2);
    assertTrue(refused.err().contains("bench share has no --smoke"), refused.err());
  }

  private static Platform.Result isle(String... arguments) {
    return Call.isle(Map.of(), List.of(arguments)).end();
  }
}
