package io.isle.benchmarks.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.benchmarks.Instances;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobCasesTest {
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]{3,}");

  @TempDir private Path folder;

  private static Settings settings(Path root, boolean smoke) {
    return new Settings(root, root, root, root, smoke, new Instances());
  }

  @Test
  void rowsAreThoseOfTheGoals() {
    List<String> names =
        List.of(
            "loop-60",
            "loop-10000-small",
            "loop-until",
            "chain-36",
            "one-shot-4m",
            "stream-50m",
            "stream-50m-mapped",
            "checkpoint-cost");
    assertEquals(names, JobCases.names(settings(folder, false)));
    assertEquals(names, JobCases.names(settings(folder, true)));
  }

  @Test
  void everyPlaceOfAJobFileIsFilled() {
    List<String> jobs =
        List.of(
            JobTexts.stencil(64, 10),
            JobTexts.until(64, 16),
            JobTexts.sort(17),
            JobTexts.file("scale", "n", false),
            JobTexts.file("nearest", "n, 2", true));
    jobs.forEach(job -> assertFalse(PLACEHOLDER.matcher(job).find(), job));
    jobs.forEach(job -> assertTrue(job.contains("name: " + JobCase.STEP), job));
  }

  @Test
  void loopsWithoutCheckpointsAreOtherwiseTheSame() {
    String job = JobTexts.checkpoints(64, 5, 10, List.of("a", "b", "c"), List.of("a", "c"));
    assertFalse(PLACEHOLDER.matcher(job).find(), job);
    List<String> steps = List.of(job.split("(?m)^  - name: |^claims:\n"));
    assertEquals(5 + 1, steps.size(), job);
    assertTrue(steps.get(1).startsWith("warm\n") && steps.get(1).contains("times: 5\n"), job);
    assertEquals(steps.get(2).replaceFirst("a", "c"), steps.get(4));
    assertEquals(
        steps.get(2).replaceFirst("a", "b"), steps.get(3).replace("\n      checkpoint: 0", ""));
    assertTrue(steps.get(3).contains("checkpoint: 0") && !job.contains("OUT"), job);
    assertTrue(steps.get(5).contains("step.b.seconds"), job);
  }

  @Test
  void numbersOfAJobAreFoundByName() throws IOException {
    JobInstance.Run run =
        new JobInstance.Run(
            """
            {"job":"bench","tier":2,"elapsed_ns":7,"recovery_log":[],
             "steps":[{"step":"warm","elapsed_ns":1},{"step":"timed","bytes":5,"elapsed_ns":2}],
             "claims":[{"name":"other","value":3},{"name":"seconds","value":1.5E-4,"goal":">= 0"}]}
            """);
    assertEquals(7, run.elapsedNs());
    assertEquals(2, run.elapsedNs("timed"));
    assertEquals(1.5e-4, run.value("seconds"));
    assertThrows(IOException.class, () -> run.value("warm"));
    assertThrows(IOException.class, () -> run.elapsedNs("seconds"));
  }

  @Test
  void anInputHasItsSizeAndIsAlwaysTheSame() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    long bytes = (1 << 20) + 8;
    for (JobCase.Input input : JobCase.Input.values()) {
      WorkFolder.write(first, input, bytes);
      WorkFolder.write(second, input, bytes);
      assertEquals(bytes, Files.size(first));
      assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    }
  }

  @Test
  void aFolderNeedsRoom() {
    IOException full =
        assertThrows(
            IOException.class, () -> WorkFolder.make(settings(folder, true), Long.MAX_VALUE));
    assertTrue(full.getMessage().contains(folder.toString()), full.getMessage());
  }
}
