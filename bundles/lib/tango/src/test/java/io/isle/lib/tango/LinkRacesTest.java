package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the races of {@link LinkStress} by jcstress, in a JVM of its own: real threads, real
 * reordering by compilers and the processor. Without the second look of {@link LinkReader#take},
 * {@link LinkStress.Overwriting} fails.
 */
@Tag("alone")
@Timeout(400)
class LinkRacesTest {
  private static final int RACES = 5;

  @TempDir Path dir;

  @Test
  void noRaceHasAForbiddenOutcome() throws IOException, InterruptedException {
    Path log = dir.resolve("log");
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                "io.isle.lib.tango.LinkStress",
                "-f",
                "1",
                "-iters",
                "1",
                "-time",
                "600",
                "-strideSize",
                "32",
                "-strideCount",
                "4",
                "-sc",
                "false",
                "-af",
                "NONE",
                "-jvmArgs",
                "-Xmx256m -XX:+UseSerialGC",
                "-r",
                dir.resolve("report").toString())
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertTrue(run.waitFor(300, TimeUnit.SECONDS), "jcstress does not end");
    } finally {
      // the JVM that it forked outlives it
      run.descendants().forEach(ProcessHandle::destroyForcibly);
      var ignored = run.destroyForcibly();
    }
    String said = Files.readString(log);
    assertEquals(0, run.exitValue(), said);
    assertTrue(said.contains(RACES + " planned; " + RACES + " passed"), said);
  }
}
