package io.isle.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program: what it prints and how it ends. */
class MainTest {
  private static final Path EXAMPLES = Path.of("..", "..", "docs", "sim");

  @TempDir private Path folder;

  private record Result(int exit, String out, String err) {}

  private static Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream stdout = new PrintStream(out, false, StandardCharsets.UTF_8);
    int exit = Main.run(List.of(args), stdout, new PrintStream(err, true, StandardCharsets.UTF_8));
    stdout.flush();
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static double given(String json, String group) {
    Matcher matcher =
        Pattern.compile("\\{\"group\":\"" + group + "\".*?\"given\":([0-9.E-]+)").matcher(json);
    assertTrue(matcher.find(), () -> group + " in " + json);
    return Double.parseDouble(matcher.group(1));
  }

  /** What the page says of its example. */
  @Test
  void theExampleSplitsSeventyToThirty() {
    Result result = run(EXAMPLES.resolve("fair-share.yml").toString(), "--json");
    assertEquals(0, result.exit(), result.err());
    assertEquals(0.7, given(result.out(), "research"), 0.005);
    assertEquals(0.3, given(result.out(), "batch"), 0.005);
    assertEquals(result, run(EXAMPLES.resolve("fair-share.yml").toString(), "--json"));
  }

  @Test
  void aChangeActsWithinAPeriod() {
    Result result = run(EXAMPLES.resolve("changes.yml").toString(), "--json");
    assertEquals(0, result.exit(), result.err());
    // a fifth of the time with 30 %, the rest with 60 %; and what is promised follows
    assertEquals(0.54, given(result.out(), "team-a"), 0.01);
    assertTrue(result.out().contains("\"promised\":0.54"), result.out());
  }

  @Test
  void everyExampleRuns() throws IOException {
    try (var files = Files.list(EXAMPLES)) {
      for (Path file : files.filter(f -> !f.endsWith("million.yml")).sorted().toList()) {
        Result result = run(file.toString());
        assertEquals(0, result.exit(), file + ": " + result.err());
        assertTrue(result.out().startsWith("context "), result.out());
      }
    }
  }

  /** What the simulator prints with events is what it prints without, behind them. */
  @Test
  void eventsChangeNothing() {
    String file = EXAMPLES.resolve("changes.yml").toString();
    String with = run(file, "--events").out();
    assertTrue(with.endsWith("\n\n" + run(file).out()), "the figures are others");
    String first = with.lines().findFirst().orElseThrow();
    assertTrue(first.matches(" +time_ns device +context .*budget_ns +deadline_ns"), first);
    assertTrue(with.lines().anyMatch(line -> line.contains(" exhaust ")), "nothing is used up");
    Result json = run(file, "--events", "--json");
    assertTrue(
        json.out().startsWith("{\"events\":[\n{\"time_ns\":0,"), json.out().substring(0, 40));
    assertTrue(json.out().endsWith("}\n"));
  }

  private Result refused(String contexts, String more) throws IOException {
    Path file = folder.resolve("f.yml");
    Files.writeString(
        file,
        """
        duration: 1s
        devices: {sim0: {}}
        groups: {a: {compute.guarantee: sim0 600000}, b: {devices: ""}}
        contexts: {%s}
        %s
        """
            .formatted(contexts, more));
    return run(file.toString());
  }

  /** As live, with the place in the file. */
  @Test
  void whatWouldBeRefusedIsRefused() throws IOException {
    String good = "x: {group: a, workload: flood, service: 1ms}";
    assertEquals(0, refused(good, "").exit());
    Result tooMuch =
        refused(good, "events: [{at: 1ms, group: c, set: {compute.guarantee: sim0 500000}}]");
    assertEquals(1, tooMuch.exit());
    assertTrue(
        tooMuch
            .err()
            .contains(
                "f.yml:5:27: events[0].group: compute.guarantee: sim0: a 60 % + c 50 % = 110 % of"
                    + " sim0; 40 % is left"),
        tooMuch.err());
    Result device = refused("x: {group: b, workload: flood, service: 1ms}", "");
    assertEquals(1, device.exit());
    assertTrue(
        device.err().contains("sim0 is not one of the devices that b may use"), device.err());
    Result realtime =
        refused("x: {group: default, priority: realtime, workload: flood, service: 1ms}", "");
    assertTrue(realtime.err().contains("needs a guarantee"), realtime.err());
    Result reserved =
        refused("x: {group: a, guarantee: 700000, workload: flood, service: 1ms}", "");
    assertTrue(reserved.err().contains("contexts of a 70 %"), reserved.err());
    Result group = refused("x: {group: z, workload: flood, service: 1ms}", "");
    assertTrue(group.err().contains("no group 'z'"), group.err());
    Result json = run(folder.resolve("f.yml").toString(), "--json");
    assertEquals("{\"error\":", json.out().substring(0, 9));
  }

  @Test
  void wrongCalls() throws IOException {
    for (String[] args :
        List.of(
            new String[] {},
            new String[] {"--json"},
            new String[] {"a.yml", "b.yml"},
            new String[] {"a.yml", "--fast"},
            new String[] {"--replay", "x", "--events"})) {
      Result result = run(args);
      assertEquals(2, result.exit(), String.join(" ", args));
      assertTrue(result.err().contains("usage: isle sim FILE.yml"), result.err());
    }
    assertEquals(1, run("nowhere.yml").exit());
    assertEquals(1, run(folder.toString()).exit());
    assertEquals(1, run("--replay", "nowhere").exit());
    Path text = Files.writeString(folder.resolve("text"), "this is no journal");
    Result result = run("--replay", text.toString());
    assertEquals(1, result.exit());
    assertTrue(result.err().contains("is not a journal"), result.err());
  }

  /** Of a platform that did not write charges in advance yet. */
  @Test
  void aJournalOfTheFirstVersionReplays() throws Exception {
    Path journal = folder.resolve("old.journal");
    try (InputStream in = MainTest.class.getResourceAsStream("/version-1.journal")) {
      Files.write(journal, in.readAllBytes());
    }
    Result result = run("--replay", journal.toString(), "--json");
    assertEquals(0, result.exit(), result.err());
    assertTrue(result.out().contains("\"records\":2998"), result.out());
    assertTrue(result.out().contains("\"same\":true"), result.out());
  }
}
