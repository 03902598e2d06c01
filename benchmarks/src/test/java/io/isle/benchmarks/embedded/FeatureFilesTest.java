package io.isle.benchmarks.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.benchmarks.embedded.FeatureFiles.FeatureBundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeatureFilesTest {
  @TempDir Path system;

  private FeatureFiles read() throws IOException {
    write(
        "a/a-features.xml",
        """
        <features name="a" xmlns="http://karaf.apache.org/xmlns/features/v1.6.0">
          <feature name="core">
            <feature version="1">base</feature>
            <bundle start-level="65">mvn:g.h/late/1</bundle>
            <bundle start-level="60" dependency="true">mvn:g.h/early/1</bundle>
            <conditional><condition>shell</condition><bundle>mvn:g.h/other/1</bundle></conditional>
          </feature>
          <feature name="odd"><bundle>file:x.jar</bundle></feature>
        </features>
        """);
    write(
        "b/b-features.xml",
        """
        <features name="b">
          <feature name="base">
            <bundle>mvn:g.h/last/2.0</bundle>
            <bundle start-level="60">mvn:g.h/base/2.0</bundle>
          </feature>
        </features>
        """);
    return new FeatureFiles(system);
  }

  private void write(String file, String text) throws IOException {
    Path to = system.resolve(file);
    Files.createDirectories(to.getParent());
    Files.writeString(to, text);
  }

  @Test
  void aFeatureHasTheBundlesOfThoseThatItNeedsInTheOrderOfLevels() throws IOException {
    List<FeatureBundle> bundles = read().bundles("core");
    assertEquals(
        List.of("base", "early", "late", "last"),
        bundles.stream().map(FeatureBundle::artifact).toList());
    assertEquals(system.resolve("g/h/base/2.0/base-2.0.jar"), bundles.getFirst().jar());
    assertEquals(List.of(60, 60, 65, 80), bundles.stream().map(FeatureBundle::level).toList());
  }

  @Test
  void oneBundleIsFoundInItsFeatureOnly() throws IOException {
    FeatureFiles features = read();
    assertEquals(60, features.bundle("base", "base").level());
    assertThrows(IOException.class, () -> features.bundle("core", "base"));
  }

  @Test
  void whatIsNotThereIsNamed() throws IOException {
    FeatureFiles features = read();
    assertEquals(
        "the distribution has no feature none",
        assertThrows(IOException.class, () -> features.bundles("none")).getMessage());
    assertThrows(IOException.class, () -> features.bundles("odd"));
  }
}
