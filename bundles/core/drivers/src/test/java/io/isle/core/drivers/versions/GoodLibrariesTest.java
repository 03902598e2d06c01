package io.isle.core.drivers.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoodLibrariesTest {
  @TempDir Path directory;

  private Path library(String content) throws IOException {
    return Files.writeString(directory.resolve("of " + content), content);
  }

  private void keep(GoodLibraries libraries, String version, long when) throws IOException {
    libraries.keep("driver", version, "gpu", library(version));
    Files.setLastModifiedTime(
        directory.resolve("good/driver/" + version + "@gpu.so"), FileTime.fromMillis(when));
  }

  private String before(GoodLibraries libraries, String version) throws IOException {
    return libraries
        .before("driver", library(version), good -> true)
        .map(GoodLibraries.Good::version)
        .orElse("none");
  }

  @Test
  void theNewestThatWorkedAndTheOneBeforeItAreKeptOverARestart() throws IOException {
    GoodLibraries libraries = new GoodLibraries(directory);
    assertEquals("none", before(libraries, "1"));
    keep(libraries, "1", 1000);
    assertEquals("none", before(libraries, "1"));
    keep(libraries, "2", 2000);
    keep(libraries, "3", 3000);
    GoodLibraries restarted = new GoodLibraries(directory);
    assertEquals("2", before(restarted, "3"));
    assertEquals("3", before(restarted, "4"));
    keep(restarted, "3", 4000);
    assertEquals("2", before(restarted, "3"));
    try (Stream<Path> kept = Files.list(directory.resolve("good/driver"))) {
      assertEquals(2, kept.count());
    }
  }
}
