package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.JobException;
import java.nio.file.Path;
import java.util.Map;

/** What must hold for any bytes that are given as a job file. */
final class Mutations {
  private static final Path BASE = Path.of("/jobs");

  private Mutations() {}

  static void check(byte[] bytes) {
    try {
      JobParser.parse(
          JobFile.parse("job.yml", bytes),
          BASE,
          Map.of("input", "x", "print", "true"),
          BASE,
          Map.of());
    } catch (JobException e) {
      assertEquals(ExitStatus.USAGE, e.exitStatus());
      boolean place = e.line() >= 1 && e.getMessage().startsWith("job.yml:" + e.line() + ":");
      assertTrue(place || e.getMessage().startsWith("--set"), e.getMessage());
    }
  }
}
