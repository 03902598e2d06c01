package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A subsystem made from the template, by the commands of CONTRIBUTING.md as they stand, in a copy
 * of the checkout: it is built, its tests pass, its commands run, and few files had to be touched.
 * The copy has the compiled classes, so that only the subsystem is compiled.
 */
class NewAreaIT {
  private static final Set<String> OWN =
      Set.of("bundles/api/probe", "bundles/core/probe", "bundles/faces/shell-probe");
  private static final int MOST_OUTSIDE = 9;
  private static final int MOST_COMMANDS = 10;
  private static final int LIMIT_S = 600;

  /** What is not copied: no part of the checkout, or made anew by the build. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "\\.git|\\.isle|native-shims/build/asan"
              + "|(benchmarks|karaf-assembly)/target/(assembly|lib)|bundles/[a-z]+/target/lib"
              + "|.*/target/[^/]*\\.(jar|gz)|.*/target/(surefire|failsafe)-reports"
              + "|itests/target/(?!classes|test-classes|maven-status|spotless)[^/]*");

  private static final Pattern NOT_TRACKED =
      Pattern.compile("(.*/)?target/.*|\\.isle/.*|native-shims/build/.*");

  @TempDir Path folder;

  @Test
  void aNewAreaTouchesFewFilesAndWorks() throws Exception {
    Path checkout = folder.resolve("check out");
    copy(Platform.root().toRealPath(), checkout);
    Map<String, String> before = files(checkout);
    List<String> commands = commands();
    assertTrue(commands.size() <= MOST_COMMANDS, commands::toString);
    String last = "";
    for (String command : commands) {
      if (!command.startsWith("git clone ")) {
        last = run(checkout, command);
      }
    }
    assertTrue(last.contains("a note"), last);
    Set<String> outside = changed(before, files(checkout));
    assertTrue(outside.size() <= MOST_OUTSIDE, () -> outside.size() + " files: " + outside);
    assertEquals(1, reports(checkout.resolve("bundles/core/probe"), "surefire"));
    assertEquals(1, reports(checkout.resolve("bundles/faces/shell-probe"), "surefire"));
    assertEquals(1, reports(checkout.resolve("itests"), "failsafe"));
  }

  /** The lines of the block that has the new area. */
  private static List<String> commands() throws IOException {
    List<String> block = new ArrayList<>();
    for (String line : Files.readAllLines(Platform.root().resolve("CONTRIBUTING.md"))) {
      if (line.startsWith("    ")) {
        block.add(line.strip());
      } else if (block.stream().anyMatch(each -> each.startsWith("scripts/new-area "))) {
        return block;
      } else {
        block.clear();
      }
    }
    throw new AssertionError("CONTRIBUTING.md makes no new area");
  }

  private static String run(Path checkout, String command) {
    Map<String, String> environment =
        Map.of(
            "MAVEN_OPTS",
            Sdk.mavenOptions() + " -Dmaven.compiler.useIncrementalCompilation=false",
            "ISLE_STATE",
            "",
            "ISLE_DIST",
            // the launcher runs what the tests of the area were run on
            checkout.resolve("karaf-assembly/target/assembly").toString());
    Platform.Result result =
        Call.begin(checkout, environment, List.of("sh", "-c", command)).end(LIMIT_S);
    assertEquals(0, result.code(), () -> command + ": " + result.out() + result.err());
    return result.out();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (isLeftOut(directory)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(directory).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!isLeftOut(file)) {
              Path target = to.resolve(from.relativize(file).toString());
              Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }

          private boolean isLeftOut(Path path) {
            return LEFT_OUT.matcher(from.relativize(path).toString()).matches();
          }
        });
  }

  /** What is tracked, or would be, with its text. */
  private static Map<String, String> files(Path checkout) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(checkout)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = checkout.relativize(file).toString();
        if (!NOT_TRACKED.matcher(name).matches()) {
          files.put(name, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        }
      }
    }
    return files;
  }

  /** Files that are new or others now, outside the folders of the area. */
  private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
    assertTrue(after.keySet().containsAll(before.keySet()), "nothing was deleted");
    Set<String> changed = new TreeSet<>();
    after.forEach(
        (name, text) -> {
          if (!text.equals(before.get(name)) && OWN.stream().noneMatch(name::startsWith)) {
            changed.add(name);
          }
        });
    return changed;
  }

  /** Reports of test classes that the area brought, each with tests and without a failure. */
  private static long reports(Path module, String runner) throws IOException {
    try (Stream<Path> files = Files.list(module.resolve("target/" + runner + "-reports"))) {
      List<Path> reports =
          files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).toList();
      for (Path report : reports) {
        String text = Files.readString(report);
        assertTrue(text.matches("(?s).* tests=\"[1-9][0-9]*\".*"), text);
        assertTrue(text.matches("(?s).* errors=\"0\" .*failures=\"0\".*"), text);
      }
      return reports.size();
    }
  }
}
