package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every job file that is shipped, example or template, is good. */
class ShippedJobsTest {
  private static final Path ROOT = Path.of("../../..");
  private static final Path TEMPLATES =
      ROOT.resolve("bundles/faces/shell-job/src/main/resources/io/isle/faces/shell/job/templates");

  @TestFactory
  List<DynamicTest> parse() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> examples = Files.walk(ROOT.resolve("examples"));
        Stream<Path> templates = Files.list(TEMPLATES)) {
      // these jobs have kinds of steps and of set-up of other bundles; DocsIT runs them
      List<String> others =
          List.of(
              "ring/job.yml",
              "drops/job.yml",
              "net-echo/job.yml",
              "estimate/job.yml",
              "ping/job.yml");
      examples
          .filter(file -> file.endsWith("job.yml") && others.stream().noneMatch(file::endsWith))
          .forEach(files::add);
      templates.filter(file -> file.toString().endsWith(".yml")).forEach(files::add);
    }
    assertTrue(files.size() >= 10, files::toString);
    return files.stream().map(file -> dynamicTest(file.toString(), () -> parse(file))).toList();
  }

  private static void parse(Path file) {
    Located root = JobFile.read(file);
    Map<String, Located> keys = root.entries(64);
    Map<String, String> given = new HashMap<>();
    keys.get("params")
        .entries(Parameters.MAX)
        .forEach(
            (name, at) -> {
              if (!at.mapping("type", "default", "choices").containsKey("default")) {
                given.put(name, "x");
              }
            });
    JobSpec job = JobParser.parse(root, file.getParent(), given, Path.of("/"), Map.of(), Map.of());
    assertEquals(keys.get("job").text(), job.name());
  }
}
