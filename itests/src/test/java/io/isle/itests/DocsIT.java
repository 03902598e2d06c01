package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the documentation shows works: every block of commands is run as it stands, in the order of
 * the page, by a shell in a folder that looks like the checkout and has a file named FILE. What
 * pages show of the output is compared. The instances are those of a newcomer, in a state folder of
 * this class.
 */
@ExtendWith(Platform.class)
class DocsIT {
  private static final Path STATE = Platform.STATE.resolveSibling("isle docs");

  private static final Path CHECKOUT = Platform.STATE.resolveSibling("docs checkout");

  /** Pages, and folders of pages, on which all other blocks are what commands print. */
  private static final Set<String> WITH_OUTPUT =
      Set.of("README.md", "docs/simulator.md", "examples/");

  private static final Map<String, Long> TIMES = new HashMap<>();

  /** What the newest commands printed. */
  private static String printed = "";

  /** What the commands make beside the checkout. */
  private static final List<String> MADE =
      List.of("isle-sdk", "mydriver", "myjavadriver", "watch-sdk", "mywatch");

  @BeforeAll
  static void layOut() throws IOException {
    Files.createDirectories(CHECKOUT);
    for (String name : List.of("isle", "docs", "examples", "native-shims", "README.md")) {
      Path link = CHECKOUT.resolve(name);
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, Platform.root().toAbsolutePath().resolve(name));
    }
    Path state = CHECKOUT.resolve(".isle");
    Files.deleteIfExists(state);
    Files.createSymbolicLink(state, STATE.toAbsolutePath());
    // no history, no setting of an earlier run counts
    shell("./isle stop; ./isle stop --instance lab").succeeded();
    Sdk.delete(STATE.resolve("instances"));
    Files.write(CHECKOUT.resolve("FILE"), Blocks.random(2 * Blocks.BLOCK + 5));
    for (String made : MADE) {
      Sdk.delete(CHECKOUT.resolveSibling(made));
    }
    Files.write(CHECKOUT.resolve("NUMBERS"), Blocks.random(4 * 1000));
    Arrays.write(CHECKOUT.resolve("A.npy"), 3, 4);
    Arrays.write(CHECKOUT.resolve("B.npy"), 4, 5);
    Arrays.image(CHECKOUT.resolve("IMAGE.png"), 9, 7, BufferedImage.TYPE_3BYTE_BGR);
  }

  @AfterAll
  static void stop() {
    shell("./isle stop; ./isle stop --instance lab").succeeded();
  }

  @TestFactory
  List<DynamicTest> everyCommandThatIsShownWorks() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Set<String> leftOut = new HashSet<>(ShownBlocks.LEFT_OUT.keySet());
    StringBuilder all = new StringBuilder();
    for (Path page : ShownBlocks.pages(Platform.root())) {
      String path = Platform.root().relativize(page).toString();
      for (ShownBlocks.Block block : ShownBlocks.of(Files.readAllLines(page))) {
        String name = path + ": " + block.lines().getFirst();
        String script = block.script();
        leftOut.removeIf(begin -> block.lines().stream().anyMatch(l -> l.startsWith(begin)));
        if (!block.isCommands() && WITH_OUTPUT.stream().anyMatch(path::startsWith)) {
          Sample sample = new Sample(block.lines());
          tests.add(dynamicTest(name, () -> assertEquals("", sample.difference(printed), printed)));
        } else if (block.isCommands() && !script.isEmpty()) {
          all.append(script);
          tests.add(dynamicTest(name, () -> run(path, script)));
        }
      }
    }
    assertTrue(tests.size() >= 8, () -> "too few commands found: " + tests.size());
    assertEquals(Set.of(), leftOut, "no page shows what is left out");
    tests.add(dynamicTest("a driver takes ten minutes", DocsIT::aDriverTakesTenMinutes));
    tests.add(dynamicTest("every example has run", () -> everyExampleHasRun(all.toString())));
    return tests;
  }

  private static void run(String page, String script) {
    printed = "";
    long begin = System.nanoTime();
    printed = shell("./isle start >/dev/null\n" + script).succeeded().out();
    TIMES.merge(page, System.nanoTime() - begin, Long::sum);
  }

  /** Its job is in the history of the instance; an example without a job is in the commands. */
  private static void everyExampleHasRun(String commands) throws IOException {
    Set<String> done = new HashSet<>();
    for (JsonNode job :
        shell("./isle start >/dev/null; ./isle sh job:list --json").succeeded().json()) {
      if (job.get("state").asText().equals("done")) {
        done.add(job.get("job").asText());
      }
    }
    Examples examples = Examples.of(Platform.root().resolve("examples"));
    assertEquals(Set.of(), examples.notAmong(done), "jobs that no page's command ran to its end");
    for (String folder : examples.foldersWithoutJob()) {
      assertTrue(commands.contains("examples/" + folder), () -> "nothing uses examples/" + folder);
    }
  }

  /** As the page promises, in both languages together. */
  private static void aDriverTakesTenMinutes() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(TIMES.get("docs/drivers.md"));
    assertTrue(seconds < 600, () -> "the commands of docs/drivers.md took " + seconds + " s");
  }

  /** Stops at the first command that fails, inside a pipeline too. */
  private static Platform.Result shell(String script) {
    return Call.begin(
            CHECKOUT,
            Map.of("ISLE_STATE", STATE.toString(), "MAVEN_OPTS", Sdk.mavenOptions()),
            List.of("bash", "-e", "-o", "pipefail", "-c", script))
        .end();
  }
}
