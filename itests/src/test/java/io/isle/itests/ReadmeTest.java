package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README says of the platform is shown by something that runs. */
class ReadmeTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String TITLE = "## What works\n";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST =
      Pattern.compile("@(Test|TestFactory|Property|ParameterizedTest)\\b");

  /** The rows of the table of what works, without its head: what, and shown by what. */
  private static Map<String, String> table(String readme) {
    String from = readme.substring(readme.indexOf(TITLE) + TITLE.length());
    Map<String, String> rows = new HashMap<>();
    from.lines()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .map(line -> line.split("\\|", -1))
        .forEach(cells -> rows.put(cells[1].strip(), cells[2].strip()));
    return rows;
  }

  @Test
  void eachThingThatWorksIsShownByATestOrACommand() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    Map<String, Path> tests = tests();
    List<String> commands = commands();
    List<String> wrong = new ArrayList<>();
    Map<String, String> table = table(readme);
    for (Map.Entry<String, String> row : table.entrySet()) {
      Matcher shown = CODE.matcher(row.getValue());
      boolean any = false;
      while (shown.find()) {
        String name = shown.group(1);
        any = true;
        if (!commands.contains(name) && !isTest(tests.get(name))) {
          wrong.add(row.getKey() + ": " + name + " is neither a test nor a command that is run");
        }
      }
      if (!any) {
        wrong.add(row.getKey() + ": nothing shows it");
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(table.size() >= 15, () -> "the README has a table of " + table.size() + " rows");
  }

  @Test
  void everyExampleIsInTheirTable() throws IOException {
    Path examples = ROOT.resolve("examples");
    String page = Files.readString(examples.resolve("README.md"));
    for (String folder : Examples.of(examples).folders().keySet()) {
      assertTrue(page.contains("](" + folder + "/README.md)"), folder);
    }
  }

  private static boolean isTest(Path file) throws IOException {
    return file != null && TEST.matcher(Files.readString(file)).find();
  }

  /** Java's test sources of all modules, by the name of the class. */
  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (String module : List.of("bundles", "benchmarks", "itests", "karaf-assembly")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
        files
            .filter(file -> file.toString().contains("/src/test/java/"))
            .filter(file -> file.toString().matches(".*(Test|IT)\\.java"))
            .forEach(file -> tests.put(file.getFileName().toString().replace(".java", ""), file));
      }
    }
    return tests;
  }

  /** Lines of commands that the documentation shows, which DocsIT runs. */
  private static List<String> commands() throws IOException {
    List<String> commands = new ArrayList<>();
    for (Path page : ShownBlocks.pages(ROOT)) {
      ShownBlocks.of(Files.readAllLines(page)).stream()
          .filter(ShownBlocks.Block::isCommands)
          .flatMap(block -> block.script().lines())
          .forEach(commands::add);
    }
    return commands;
  }
}
