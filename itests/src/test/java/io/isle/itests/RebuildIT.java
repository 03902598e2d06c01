package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What runs from a distribution keeps it, however often another is built meanwhile. In a checkout
 * of the test's own, whose Maven hands out the distribution that is there already.
 */
class RebuildIT {
  @TempDir Path folder;
  private Path checkout;
  private Path state;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = Files.createDirectory(folder.resolve("check out"));
    state = checkout.resolve(".isle");
    Files.copy(Platform.root().resolve("isle"), checkout.resolve("isle"));
    Path scripts = Files.createDirectory(checkout.resolve("scripts"));
    try (Stream<Path> files = Files.list(Platform.root().resolve("scripts"))) {
      for (Path file : files.toList()) {
        Files.copy(file, scripts.resolve(file.getFileName()));
      }
    }
    for (String part :
        List.of(".mvn", "bundles", "features", "karaf-assembly", "config", "native-shims")) {
      Files.createDirectory(checkout.resolve(part));
    }
    Files.createFile(checkout.resolve("pom.xml"));
    Files.createFile(source());
    script(
        Files.createDirectory(folder.resolve("bin")).resolve("mvn"),
        """
        #!/bin/sh
        rm -rf karaf-assembly/target && mkdir karaf-assembly/target
        : >karaf-assembly/target/isle-karaf-assembly-0.1.0.tar.gz
        cp -a '%s' karaf-assembly/target/assembly
        """
            .formatted(System.getProperty("isle.dist")));
  }

  private static void script(Path file, String text) throws IOException {
    assertTrue(Files.writeString(file, text).toFile().setExecutable(true));
  }

  private Path source() {
    return checkout.resolve("bundles/Source.java");
  }

  @Test
  void aStartedInstanceGoesOnAfterBuildsAndCrashes() throws Exception {
    isle("start").succeeded();
    try {
      String running = current();
      isle("sh", "device:set soft0 fault_injection=true").succeeded();
      String second = build();
      String third = build();
      String fourth = build();
      assertEquals(Set.of(running, third, fourth), distributions(), second + " was used by nobody");
      for (int i = 0; i < 2; i++) {
        // the first crash may be taken over by a standby from before; the second may not
        isle("sh", "driver:crash soft0 kill").succeeded();
      }
      byte[] bytes = Blocks.random(Blocks.BLOCK + 1);
      Path input = Files.write(folder.resolve("input"), bytes);
      Platform.Result job =
          isle("run", Blocks.JOB, "--set", "input=" + input, "--set", "print=true").succeeded();
      assertEquals(Blocks.expected(bytes), Blocks.printed(job));
      Platform.Result clean = isle("clean").failed(1);
      assertTrue(clean.err().contains("is in use"), clean.err());
    } finally {
      isle("stop").succeeded();
    }
  }

  /** As a benchmark or the contract suite does, which are no instances. */
  @Test
  void whatRunsWithoutAnInstanceKeepsItToo() throws Exception {
    String first = build();
    try (Feed feed = Feed.create(folder.resolve("feed"))) {
      Call user = isleScript("build_if_stale\nexec cat '" + feed.path() + "'");
      feed.give(Blocks.random(Blocks.BLOCK));
      String second = build();
      String third = build();
      String fourth = build();
      assertEquals(Set.of(first, third, fourth), distributions(), second + " was used by nobody");
      Platform.Result clean = isle("clean").failed(1);
      assertTrue(clean.err().contains(first + " is in use"), clean.err());
      feed.end();
      user.end().succeeded();
    }
    String last = build();
    assertEquals(2, distributions().size());
    assertTrue(distributions().contains(last));
    isle("clean").succeeded();
    assertFalse(Files.exists(state.resolve("dist")));
  }

  /** Edits a source and builds; the name of the new distribution. */
  private String build() throws IOException {
    Files.setLastModifiedTime(source(), FileTime.fromMillis(System.currentTimeMillis()));
    isle("package").succeeded();
    return current();
  }

  private String current() throws IOException {
    return Files.readString(state.resolve("dist/current")).strip();
  }

  private Set<String> distributions() throws IOException {
    try (Stream<Path> entries = Files.list(state.resolve("dist"))) {
      return entries
          .filter(Files::isDirectory)
          .map(entry -> entry.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private Platform.Result isle(String... arguments) {
    List<String> words = new ArrayList<>(List.of(checkout.resolve("isle").toString()));
    words.addAll(List.of(arguments));
    return Call.begin(folder, environment(), words).end();
  }

  /** Runs lines of the launcher's own in place of a verb. */
  private Call isleScript(String lines) throws IOException {
    Path script = checkout.resolve("lines");
    script(script, Files.readString(checkout.resolve("isle")).replace("main \"$@\"", lines));
    return Call.begin(folder, environment(), List.of(script.toString()));
  }

  private Map<String, String> environment() {
    return Map.of(
        "ISLE_DIST", "",
        "ISLE_STATE", "",
        "PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
  }
}
