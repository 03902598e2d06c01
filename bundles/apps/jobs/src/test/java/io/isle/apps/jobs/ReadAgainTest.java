package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole input is in its file until a device needs it, and is read again after a crash. */
@Timeout(60)
class ReadAgainTest {
  private static final String DOUBLE =
      """
      - name: double
        program: scale-f32
        in: {x: {file: IN, type: f32, shape: [n]}}
        out: {y: {file: OUT, type: f32, shape: [n]}}
        args: [2, n]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @ParameterizedTest
  @EnumSource(FakePlan.Event.class)
  void theSameFileHasTheSameResults(FakePlan.Event event) throws Exception {
    harness.device.plan.at(1, event);
    JobResult result = whileItRuns(DOUBLE.replace("IN", "x").replace("OUT", "y"), () -> {});
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("y")));
  }

  @Test
  void aHeaderIsPassedByAgain() throws Exception {
    harness.device.plan.at(1, FakePlan.Event.CRASH);
    Files.write(folder.resolve("x.npy"), Numbers32.npy(List.of(3L), 3, 1, 2));
    JobResult result = whileItRuns(DOUBLE.replace("IN", "x.npy").replace("OUT", "y.npy"), () -> {});
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(
        Numbers32.npy(List.of(3L), 6, 2, 4), Files.readAllBytes(folder.resolve("y.npy")));
  }

  /** With more, with less, and with as many bytes. */
  @ParameterizedTest
  @ValueSource(ints = {4, 2, 3})
  void aChangedFileFailsTheJob(int numbers) throws Exception {
    harness.device.plan.at(1, FakePlan.Event.CRASH);
    JobResult result =
        whileItRuns(
            DOUBLE.replace("IN", "x").replace("OUT", "y"),
            () -> {
              Files.write(
                  folder.resolve("new"),
                  Numbers32.raw(new float[numbers]),
                  StandardOpenOption.CREATE_NEW);
              Files.setLastModifiedTime(folder.resolve("new"), FileTime.fromMillis(1000));
              Files.move(
                  folder.resolve("new"), folder.resolve("x"), StandardCopyOption.REPLACE_EXISTING);
            });
    assertEquals(JobState.FAILED, result.state());
    assertTrue(
        result.error().contains("changed while it was read")
            || result.error().contains("is shorter than the 12 bytes"),
        result.error());
    assertFalse(Files.exists(folder.resolve("y")));
  }

  /** Without a crash nobody reads it again. */
  @Test
  void aFileThatWasReadMayGo() throws Exception {
    JobResult result =
        whileItRuns(
            DOUBLE.replace("IN", "x").replace("OUT", "y"), () -> Files.delete(folder.resolve("x")));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("y")));
  }

  /** What is done with the file system. */
  private interface Change {
    void make() throws IOException;
  }

  /** Runs steps over the numbers 3, 1, 2; the change comes while the device has the first work. */
  private JobResult whileItRuns(String steps, Change change) throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running =
        harness.begin(Harness.job(folder, steps), folder.toAbsolutePath(), Map.of());
    Harness.until(() -> harness.device.submitted.get() >= 1);
    change.make();
    harness.device.gate.countDown();
    JobResult result = running.get(30, TimeUnit.SECONDS);
    harness.assertNothingLeft();
    return result;
  }
}
