package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What {@link DocsIT} does, for the pages whose jobs claim something about time, or that no frame
 * is lost.
 */
@Alone(
    "neither shares nor deadlines nor restarts within a time hold where processors are busy; the"
        + " kernel's queue of frames that cross interfaces is one for all")
class DocsMeasuredIT {
  static final List<String> PAGES =
      List.of(
          "examples/fair-share/README.md",
          "examples/net-echo/README.md",
          "examples/ping/README.md",
          "examples/realtime/README.md",
          "examples/ring/README.md");

  /** What their commands run, and no other page's. */
  static final Set<String> JOBS = Set.of("fair-share", "net-echo", "ping", "realtime", "ring");

  private static DocsShell shell;

  @BeforeAll
  static void layOut() throws IOException {
    shell = new DocsShell("isle measured docs");
  }

  @AfterAll
  static void stop() {
    shell.stop();
  }

  @TestFactory
  List<DynamicTest> everyCommandThatIsShownWorks() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String page : PAGES) {
      tests.addAll(shell.tests(Platform.root().resolve(page)));
    }
    tests.add(dynamicTest("their jobs have run", () -> assertEquals(expected(), shell.done())));
    return tests;
  }

  private static Set<String> expected() {
    Set<String> jobs = new HashSet<>(JOBS);
    jobs.removeAll(ShownBlocks.JOBS_NOT_RUN);
    return jobs;
  }
}
