package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs the commands of pages as they stand, in a folder that looks like the checkout and has a file
 * named FILE. The instances are those of a newcomer, in a state folder of this shell.
 */
final class DocsShell {
  /** Pages, and folders of pages, on which all other blocks are what commands print. */
  private static final Set<String> WITH_OUTPUT =
      Set.of("README.md", "docs/simulator.md", "examples/");

  /** What the commands make beside the checkout. */
  private static final List<String> MADE =
      List.of(
          "isle-sdk",
          "mydriver",
          "myjavadriver",
          "mymodel",
          "mymodels",
          "estimate",
          "watch-sdk",
          "mywatch");

  private final Path state;
  private final Path checkout;
  private final Map<String, Long> times = new HashMap<>();

  /** What the newest commands printed. */
  private String printed = "";

  /** Lays the folder out; no history, no setting of an earlier run counts. */
  DocsShell(String name) throws IOException {
    Path folder = Platform.STATE.resolveSibling(name);
    state = folder.resolve("isle state");
    checkout = Files.createDirectories(folder.resolve("checkout"));
    for (String part : List.of("isle", "docs", "examples", "native-shims", "README.md")) {
      link(checkout.resolve(part), Platform.root().toAbsolutePath().resolve(part));
    }
    link(checkout.resolve(".isle"), state.toAbsolutePath());
    stop();
    Sdk.delete(state.resolve("instances"));
    for (String made : MADE) {
      Sdk.delete(folder.resolve(made));
    }
    Files.write(checkout.resolve("FILE"), Blocks.random(2 * Blocks.BLOCK + 5));
    Files.write(checkout.resolve("NUMBERS"), Blocks.random(4 * 1000));
    Arrays.write(checkout.resolve("A.npy"), 3, 4);
    Arrays.write(checkout.resolve("B.npy"), 4, 5);
    Arrays.write(checkout.resolve("PLATE.npy"), 20, 30);
    Arrays.image(checkout.resolve("IMAGE.png"), 9, 7, BufferedImage.TYPE_3BYTE_BGR);
  }

  private static void link(Path link, Path target) throws IOException {
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
  }

  void stop() {
    run("./isle stop; ./isle stop --instance lab").succeeded();
  }

  /** A test for each block of commands of the page, and for each block with their output. */
  List<DynamicTest> tests(Path page) throws IOException {
    String path = path(page);
    List<DynamicTest> tests = new ArrayList<>();
    for (ShownBlocks.Block block : ShownBlocks.of(Files.readAllLines(page))) {
      String name = path + ": " + block.lines().getFirst();
      String script = block.script();
      if (!block.isCommands() && WITH_OUTPUT.stream().anyMatch(path::startsWith)) {
        Sample sample = new Sample(block.lines());
        tests.add(dynamicTest(name, () -> assertEquals("", sample.difference(printed), printed)));
      } else if (block.isCommands() && !script.isEmpty()) {
        tests.add(dynamicTest(name, () -> run(path, script)));
      }
    }
    return tests;
  }

  /** A page's path in the checkout. */
  static String path(Path page) {
    return Platform.root().relativize(page).toString();
  }

  private void run(String page, String script) {
    printed = "";
    long begin = System.nanoTime();
    printed = run("./isle start >/dev/null\n" + script).succeeded().out();
    times.merge(page, System.nanoTime() - begin, Long::sum);
  }

  /** How long the commands of the page took. */
  long seconds(String page) {
    return TimeUnit.NANOSECONDS.toSeconds(times.get(page));
  }

  /** Names of the jobs in the history that ended well. */
  Set<String> done() throws IOException {
    Set<String> done = new HashSet<>();
    for (JsonNode job :
        run("./isle start >/dev/null; ./isle sh job:list --json").succeeded().json()) {
      if (job.get("state").asText().equals("done")) {
        done.add(job.get("job").asText());
      }
    }
    return done;
  }

  /** Stops at the first command that fails, inside a pipeline too. */
  private Platform.Result run(String script) {
    return Call.begin(
            checkout,
            Map.of("ISLE_STATE", state.toString(), "MAVEN_OPTS", Sdk.mavenOptions()),
            List.of("bash", "-e", "-o", "pipefail", "-c", script))
        .end();
  }
}
