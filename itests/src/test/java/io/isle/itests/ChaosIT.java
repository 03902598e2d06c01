package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chaos runs of a fixed seed, short but with every kind of fault, in instances of their own. */
class ChaosIT {
  private static final Set<String> KINDS =
      Set.of(
          "crash_segv",
          "crash_abort",
          "crash_exit",
          "crash_kill",
          "host_hang",
          "hang",
          "context_error",
          "lost_completion",
          "reload",
          "reset",
          "tier",
          "suspend",
          "settings",
          "bad_settings",
          "bundle_restart");

  private static final Pattern FIRST_STEP = Pattern.compile("step 1 \\(.*\\) begins");

  @Test
  void everySubmissionEndsOnceNoneWrongAndNothingIsLeft() throws Exception {
    JsonNode report = chaos("--seed", "3", "--minutes", "0.25").succeeded().json();
    assertEquals(List.of(), problems(report));
    assertEquals(3, report.get("seed").asLong());
    assertTrue(report.get("submissions").asLong() > 100, report::toString);
    assertTrue(report.get("checked").asLong() > 0, report::toString);
    for (String none : List.of("lost", "doubled", "wrong", "illegal", "disagreeing")) {
      assertEquals(0, report.get(none).asLong(), none);
    }
    assertTrue(report.get("leaks").isEmpty(), report::toString);
    assertTrue(report.get("recoveries").get("count").asLong() > 0, report::toString);
    Set<String> kinds = new TreeSet<>();
    report.get("faults").properties().forEach(fault -> kinds.add(fault.getKey()));
    assertEquals(new TreeSet<>(KINDS), kinds);
    for (String kind : KINDS) {
      assertTrue(report.get("faults").get(kind).asLong() >= 3, kind);
    }
  }

  @Test
  void whatIsPlantedIsFound() throws Exception {
    JsonNode report =
        chaos("--seed", "4", "--minutes", "0.05", "--plant", "lost,doubled,wrong,leak")
            .failed(1)
            .json();
    for (String one : List.of("lost", "doubled", "wrong")) {
      assertEquals(1, report.get(one).asLong(), one);
    }
    for (String sort : List.of("lost: ", "doubled: ", "wrong: ", "leak: handles context: 0")) {
      assertTrue(problems(report).stream().anyMatch(p -> p.startsWith(sort)), report::toString);
    }
  }

  @Test
  void anInterruptedRunSaysHowFarItCameAndLeavesNothing() throws Exception {
    Call call = begin("--seed", "5", "--minutes", "5");
    Awaiting.await("the warm-up begins", () -> firstSteps() > 0);
    Awaiting.await("faults happen", () -> firstSteps() > 1);
    List<ProcessHandle> processes = call.process().descendants().toList();
    assertTrue(processes.size() >= 3, "the platform, driver hosts and the client");
    call.interrupt();
    JsonNode report = call.end().failed(130).json();
    assertFalse(report.get("complete").asBoolean(), report::toString);
    assertFalse(report.get("passed").asBoolean(), report::toString);
    assertEquals(List.of(), problems(report));
    assertTrue(report.get("steps").asLong() > 0, report::toString);
    assertTrue(report.get("submissions").asLong() > 0, report::toString);
    assertTrue(report.get("leaks").isNull(), report::toString);
    Awaiting.await(
        "all processes have ended", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    try (Stream<Path> left = instances()) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** How often the logs tell of a first step: the warm-up has one, and the run has. */
  private static long firstSteps() throws IOException {
    long count = 0;
    try (Stream<Path> all = instances()) {
      for (Path log : all.map(instance -> instance.resolve("data/log/karaf.log")).toList()) {
        if (Files.isReadable(log)) {
          count += FIRST_STEP.matcher(Files.readString(log)).results().count();
        }
      }
    }
    return count;
  }

  private static Stream<Path> instances() throws IOException {
    return Files.list(Platform.STATE.resolve("private"));
  }

  private static Platform.Result chaos(String... options) {
    return begin(options).end();
  }

  private static Call begin(String... options) {
    List<String> words = new ArrayList<>(List.of("chaos", "--json"));
    words.addAll(List.of(options));
    return Call.isle(Map.of(), words);
  }

  private static List<String> problems(JsonNode report) {
    List<String> all = new ArrayList<>();
    report.get("problems").forEach(problem -> all.add(problem.asText()));
    return all;
  }
}
