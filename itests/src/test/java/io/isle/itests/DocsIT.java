package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the documentation shows works: every indented block with a line of {@code ./isle}, and on
 * some pages every indented block, is run as it stands, in the order of the page, by a shell in a
 * folder that looks like the checkout and has a file named FILE. The instances are those of a
 * newcomer, in a state folder of this class.
 */
@ExtendWith(Platform.class)
class DocsIT {
  private static final Path STATE = Platform.STATE.resolveSibling("isle docs");

  /** Beginnings of lines that are not run, and why. */
  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "./isle test", "this is one of its tests",
          "./isle bench", "measures for minutes, and wants the machine for itself",
          "./isle chaos", "runs for minutes; ChaosIT has a short one",
          "./isle clean", "would remove what these tests run on",
          "git clone", "this is a checkout",
          "scripts/", "writes into the checkout; NewAreaIT does so in a copy",
          "./isle sh 'probe:", "NewAreaIT has the area");

  private static final Path CHECKOUT = Platform.STATE.resolveSibling("docs checkout");

  /** Pages with commands only. */
  private static final Set<String> WHOLE = Set.of("docs/drivers.md");

  private static final Map<String, Long> TIMES = new HashMap<>();

  /** What the commands make beside the checkout. */
  private static final List<String> MADE =
      List.of("isle-sdk", "mydriver", "myjavadriver", "watch-sdk", "mywatch");

  @BeforeAll
  static void layOut() throws IOException {
    Files.createDirectories(CHECKOUT);
    for (String name : List.of("isle", "docs", "examples", "README.md")) {
      Path link = CHECKOUT.resolve(name);
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, Platform.root().toAbsolutePath().resolve(name));
    }
    Path state = CHECKOUT.resolve(".isle");
    Files.deleteIfExists(state);
    Files.createSymbolicLink(state, STATE.toAbsolutePath());
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
    for (Path page : pages()) {
      String path = Platform.root().relativize(page).toString();
      for (String block : blocks(Files.readAllLines(page), WHOLE.contains(path))) {
        String name = path + ": " + block.lines().findFirst().orElse("");
        tests.add(dynamicTest(name, () -> run(path, block)));
      }
    }
    assertTrue(tests.size() >= 8, () -> "too few commands found: " + tests.size());
    tests.add(dynamicTest("a driver takes ten minutes", DocsIT::aDriverTakesTenMinutes));
    return tests;
  }

  private static void run(String page, String block) {
    long begin = System.nanoTime();
    shell("./isle start >/dev/null\n" + block).succeeded();
    TIMES.merge(page, System.nanoTime() - begin, Long::sum);
  }

  /** As the page promises, in both languages together. */
  private static void aDriverTakesTenMinutes() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(TIMES.get("docs/drivers.md"));
    assertTrue(seconds < 600, () -> "the commands of docs/drivers.md took " + seconds + " s");
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Platform.root().resolve("README.md")));
    pages.add(Platform.root().resolve("CONTRIBUTING.md"));
    for (String folder : List.of("docs", "examples")) {
      try (Stream<Path> files = Files.walk(Platform.root().resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /**
   * Runs of indented lines, without what is left out.
   *
   * @param whole all of them; else those of which a line begins with the launcher
   */
  private static List<String> blocks(List<String> lines, boolean whole) {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    for (String line : Stream.concat(lines.stream(), Stream.of("")).toList()) {
      if (line.startsWith("    ")) {
        if (LEFT_OUT.keySet().stream().noneMatch(line.strip()::startsWith)) {
          block.append(line.strip()).append('\n');
        }
      } else {
        if (block.toString().lines().anyMatch(each -> whole || each.startsWith("./isle "))) {
          blocks.add(block.toString());
        }
        block.setLength(0);
      }
    }
    return blocks;
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
