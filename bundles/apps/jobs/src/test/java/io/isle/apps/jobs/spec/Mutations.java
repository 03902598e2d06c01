package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What must hold for any bytes that are given as a job file. */
final class Mutations {
  private static final Path BASE = base();

  private Mutations() {}

  private static Path base() {
    try {
      Path base = Files.createTempDirectory(Path.of("target"), "mutations").toAbsolutePath();
      Files.createDirectories(base.resolve("lib"));
      for (String name : List.of("a.cl", "b.cl", "common.h", "lib/a.h")) {
        Files.writeString(base.resolve(name), "");
      }
      return base;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void parse(byte[] bytes) {
    Located root = JobFile.parse("job.yml", bytes);
    boolean input = new String(bytes, StandardCharsets.UTF_8).contains("input: {");
    Map<String, String> given = input ? Map.of("input", "x", "print", "true") : Map.of();
    JobSpec ignored = JobParser.parse(root, BASE, given, BASE, Map.of(), Map.of());
  }

  static void check(byte[] bytes) {
    try {
      parse(bytes);
    } catch (JobException e) {
      if (e.exitStatus() == ExitStatus.FAILED) {
        // files of programs are looked for when the file is read
        assertTrue(e.getMessage().startsWith("job.yml:"), e.getMessage());
        assertTrue(e.getMessage().contains(": programs."), e.getMessage());
        return;
      }
      assertEquals(ExitStatus.USAGE, e.exitStatus());
      boolean place = e.line() >= 1 && e.getMessage().startsWith("job.yml:" + e.line() + ":");
      assertTrue(place || e.getMessage().startsWith("--set"), e.getMessage());
    }
  }
}
