package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.FakePlan.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose program ends the driver is told so soon; whoever gets something done between is not. */
@Timeout(60)
class BlameTest {
  private static final int BLOCK = 64 * 1024;
  private static final int BLOCKS = 6;
  private static final long FIRST = 100_000_000;
  private static final long SECOND = 400_000_000;

  private static final String PLAIN = "- {program: busy, args: [1]}";
  private static final String STREAMED =
      "- {program: sha256, in: in, args: [64KiB], out: {file: out, format: lines}}";
  private static final String WHOLE =
      """
      - name: double
        program: scale-f32
        in: {x: {values: [3, 1, 2], type: f32, shape: [3]}}
        out: {y: {type: f32, shape: [3]}}
        args: [2, 3]
      - name: triple
        program: scale-f32
        in: {y: {from: double.y, shape: [n]}}
        out: {z: {file: out, format: raw, type: f32, shape: [n]}}
        args: [3, n]
      """;

  @TempDir Path folder;

  /** Memory for one block: pieces are submitted one after the other. */
  private final Harness harness = new Harness(BLOCK + 32 + 2 * 4096 + 64);

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, STREAMED, WHOLE})
  void threeTriesAreEnough(String steps) throws Exception {
    crashAt(1, 2, 3, 4, 5, 6);
    JobResult result = run(steps, "");
    assertEquals(JobState.FAILED, result.state());
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains("ends the device's driver: 3 tries"), result.error());
    assertTrue(result.error().contains("signal 11: in copy"), result.error());
    assertEquals(3, harness.device.submissions.get());
    assertEquals(List.of(FIRST, SECOND), harness.pauses);
    assertFalse(Files.exists(folder.resolve("out")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"- {program: busy, args: [1], repeat: 3}", STREAMED})
  void whatIsDoneBetweenCounts(String steps) throws Exception {
    crashAt(1, 2, 4, 5, 7, 8);
    done(steps, "");
    assertEquals(List.of(FIRST, SECOND, FIRST, SECOND, FIRST, SECOND), harness.pauses);
  }

  /** The step that is computed again has its own tries, on a device that the other one holds. */
  @Test
  void aStepThatAnotherOneNeedsAgainWaitsForNobody() throws Exception {
    crashAt(2, 4, 5, 6);
    done(WHOLE, "");
    assertEquals(List.of(FIRST, SECOND, FIRST, SECOND), harness.pauses);
  }

  @Test
  void theDeviceMayGoAgainWhileATryIsAwaited() throws Exception {
    crashAt(1);
    harness.onPause = harness.device::crash;
    done(STREAMED, "");
    assertEquals(List.of(FIRST), harness.pauses);
  }

  @Test
  void whoseJobEndsDriversItselfIsNotToBlame() throws Exception {
    crashAt(1, 2, 3, 4, 5);
    harness.core.onFault = fault -> {};
    done(
        STREAMED,
        "setup: {devices: {soft7: {}}}\n"
            + "faults: [{device: soft7, fault: segv, after: 1000000}]\n");
    assertEquals(List.of(), harness.pauses);
  }

  /** A turn that a job took is free when the job ends, however it does. */
  @Test
  void theNextJobIsRight() throws Exception {
    crashAt(1, 2, 3);
    assertEquals(JobState.FAILED, run(STREAMED, "").state());
    crashAt(4, 5);
    done(STREAMED, "");
  }

  private void crashAt(int... submissions) {
    for (int submission : submissions) {
      harness.device.plan.at(submission, Event.CRASH);
    }
  }

  private void done(String steps, String keys) throws IOException {
    JobResult result = run(steps, keys);
    assertEquals(JobState.DONE, result.state(), result.error());
  }

  private JobResult run(String steps, String keys) throws IOException {
    Files.write(folder.resolve("in"), BlockhashTest.random(BLOCKS * BLOCK));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "job: j\nretries: 100\n" + keys + "steps:\n" + steps.indent(2));
    JobResult result = harness.asAdmin(job, Map.of());
    harness.assertNothingLeft();
    return result;
  }
}
