package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of kernels, and the page that refers to it. */
class KernelTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Path TESTS = Path.of("src/test/java/io/isle/itests");
  private static final String SECTION = "## OpenCL C in jobs";
  private static final Pattern TEST = Pattern.compile("`(\\w+)`: ((?:`\\w+`(?:, )?)+)");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void thereAreSixtyKernelsAndHalfOfThemAreRefused() throws IOException {
    List<KernelTable.Case> right = KernelTable.right(ROOT);
    List<KernelTable.Case> refused = KernelTable.refused(ROOT);
    assertTrue(right.size() >= 50 && refused.size() >= 50, right.size() + ", " + refused.size());
    assertEquals(right.size(), names(right).size());
    assertEquals(refused.size(), names(refused).size());
    right.forEach(kernel -> assertTrue(KernelResults.of(kernel.name()).length > 0));
    refused.forEach(kernel -> assertTrue(kernel.sentence().isPresent(), kernel.name()));
  }

  /** Each line ends with a class and names of its cases, all of which exist. */
  @Test
  void everyLineOfThePageNamesItsTests() throws IOException {
    Set<String> cases =
        Stream.concat(KernelTable.right(ROOT).stream(), KernelTable.refused(ROOT).stream())
            .map(KernelTable.Case::name)
            .collect(Collectors.toSet());
    List<String> wrong = new ArrayList<>();
    List<String> lines = lines();
    for (String line : lines) {
      Matcher test = TEST.matcher(line.substring(line.lastIndexOf(" | ")));
      if (!test.find()) {
        wrong.add("no test: " + line);
        continue;
      }
      do {
        String file = test.group(1);
        Set<String> known =
            file.equals(KernelTableIT.class.getSimpleName()) ? cases : methods(file);
        NAME.matcher(test.group(2))
            .results()
            .map(name -> name.group(1))
            .filter(name -> !known.contains(name))
            .forEach(name -> wrong.add(file + " has no " + name));
      } while (test.find());
    }
    assertEquals(List.of(), wrong);
    assertTrue(lines.size() > 20, "the page has " + lines.size() + " lines");
  }

  private static Set<String> methods(String file) throws IOException {
    Path source = TESTS.resolve(file + ".java");
    return Files.exists(source)
        ? Pattern.compile("void (\\w+)\\(")
            .matcher(Files.readString(source))
            .results()
            .map(method -> method.group(1))
            .collect(Collectors.toSet())
        : Set.of();
  }

  private static Set<String> names(List<KernelTable.Case> cases) {
    return cases.stream().map(KernelTable.Case::name).collect(Collectors.toSet());
  }

  /** The lines of the tables below the heading. */
  private static List<String> lines() throws IOException {
    List<String> page = Files.readAllLines(ROOT.resolve("docs/opencl.md"));
    return page.subList(page.indexOf(SECTION) + 1, page.size()).stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| ") && !line.startsWith("| in OpenCL C"))
        .toList();
  }
}
