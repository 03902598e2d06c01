package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that have the machine to themselves: {@code ./isle test} runs them when all others have
 * ended.
 */
class AloneTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String TAG = "@Tag(\"alone\")";

  /** As scripts/tests.sh finds the tag: of a whole class, whose name ends with Test. */
  private static final Pattern TAGGED_CLASS =
      Pattern.compile(
          "^" + Pattern.quote(TAG) + "\n(@.*\n)*(final )?class \\w+Test ", Pattern.MULTILINE);

  /** What such tests do: races by jcstress, threads at full speed. */
  private static final Pattern NEEDS_THE_MACHINE =
      Pattern.compile("org\\.openjdk\\.jcstress\\.Main|^class \\w*StressTest ", Pattern.MULTILINE);

  @Test
  void racesAndStressRunAlone() throws IOException {
    List<Path> wrong = new ArrayList<>();
    for (Path file : sources()) {
      String text = Files.readString(file);
      if (NEEDS_THE_MACHINE.matcher(text).find() && !text.contains(TAG)) {
        wrong.add(file);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theTagIsFoundByTheScript() throws IOException {
    List<Path> wrong = new ArrayList<>();
    List<Path> tagged = new ArrayList<>();
    for (Path file : sources()) {
      String text = Files.readString(file);
      if (text.contains(TAG)) {
        tagged.add(file);
        boolean known =
            TAGGED_CLASS.matcher(text).find() && !file.startsWith(ROOT.resolve("itests"));
        if (!known || text.indexOf(TAG) != text.lastIndexOf(TAG)) {
          wrong.add(file);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertFalse(tagged.isEmpty());
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : List.of("bundles", "benchmarks", "itests", "karaf-assembly")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files
            .filter(file -> file.toString().contains("/src/test/java/"))
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(sources::add);
      }
    }
    return sources;
  }
}
