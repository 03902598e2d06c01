package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What the documentation shows works: every block of commands is run as it stands, in the order of
 * the page. What pages show of the output is compared. Pages whose commands measure time are for
 * {@link DocsMeasuredIT}.
 */
class DocsIT {
  private static DocsShell shell;

  @BeforeAll
  static void layOut() throws IOException {
    shell = new DocsShell("isle docs");
  }

  @AfterAll
  static void stop() {
    shell.stop();
  }

  @TestFactory
  List<DynamicTest> everyCommandThatIsShownWorks() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Set<String> leftOut = new HashSet<>(ShownBlocks.LEFT_OUT.keySet());
    StringBuilder all = new StringBuilder();
    for (Path page : ShownBlocks.pages(Platform.root())) {
      for (ShownBlocks.Block block : ShownBlocks.of(Files.readAllLines(page))) {
        leftOut.removeIf(begin -> block.lines().stream().anyMatch(l -> l.startsWith(begin)));
        if (block.isCommands()) {
          all.append(block.script());
        }
      }
      if (!DocsMeasuredIT.PAGES.contains(DocsShell.path(page))) {
        tests.addAll(shell.tests(page));
      }
    }
    assertTrue(tests.size() >= 8, () -> "too few commands found: " + tests.size());
    assertEquals(Set.of(), leftOut, "no page shows what is left out");
    tests.add(dynamicTest("a driver takes ten minutes", DocsIT::aDriverTakesTenMinutes));
    tests.add(dynamicTest("every example has run", () -> everyExampleHasRun(all.toString())));
    return tests;
  }

  /** Its job is in the history of the instance; an example without a job is in the commands. */
  private static void everyExampleHasRun(String commands) throws IOException {
    Examples examples = Examples.of(Platform.root().resolve("examples"));
    assertEquals(
        DocsMeasuredIT.JOBS,
        examples.notAmong(shell.done()),
        "jobs that no page's command ran to its end");
    for (String folder : examples.foldersWithoutJob()) {
      assertTrue(commands.contains("examples/" + folder), () -> "nothing uses examples/" + folder);
    }
  }

  /** As the page promises, in both languages together. */
  private static void aDriverTakesTenMinutes() {
    long seconds = shell.seconds("docs/drivers.md");
    assertTrue(seconds < 600, () -> "the commands of docs/drivers.md took " + seconds + " s");
  }
}
