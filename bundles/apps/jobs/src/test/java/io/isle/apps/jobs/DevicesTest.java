package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.StepTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose steps run on several devices. */
@Timeout(60)
class DevicesTest {
  private static final String STEPS =
      """
      job: j
      device: soft0
      steps:
        - name: double
          program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: [2, n]
        - name: sort
          program: sort
          device: soft1
          in: {y: {from: double.y}}
          out: {y: {}}
          args: [y, y.kind]
        - name: triple
          program: scale-f32
          in: {y: {from: sort.y, shape: [n]}}
          out: {z: {file: z, type: f32, shape: [n]}}
          args: [3, n]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);
  private final FakeAccelerator second = new FakeAccelerator(1 << 20);

  /** Two devices, each found by its id; the first one is not for team-b. */
  static Accelerators both(FakeAccelerator first, FakeAccelerator second) {
    return new FakeAccelerators(
        () -> List.of(first.info(), second.info()),
        query -> {
          for (FakeAccelerator device : List.of(first, second)) {
            if (query.id().isEmpty() && !(device == first && query.groups().contains("team-b"))
                || query.id().equals(Optional.of(device.id()))) {
              return device.find(query);
            }
          }
          throw new AccelException(Errno.ENODEV, "no device fits " + query);
        });
  }

  @BeforeEach
  void twoDevices() throws IOException {
    harness.device.name = "soft0";
    second.name = "soft1";
    harness.accelerators = both(harness.device, second);
    Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
  }

  @Test
  void aStepMayNameItsDevice() throws Exception {
    JobResult result = run(STEPS);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(Numbers32.raw(6, 12, 18), Files.readAllBytes(folder.resolve("z")));
    assertEquals(
        List.of("soft0", "soft1", "soft0"),
        result.steps().stream().map(StepTimes::device).toList());
    assertEquals("soft0", result.device());
    assertEquals(2, harness.device.submissions.get());
    assertEquals(1, second.submissions.get());
    assertNothingLeft();
  }

  @Test
  void aStreamRunsWhereItsGroupMay() throws Exception {
    String job =
        """
        job: j
        device: any
        streams:
          - name: s
            group: team-a
            steps:
              - name: double
                program: scale-f32
                in: {x: {file: x, type: f32, shape: [n]}}
                out: {y: {file: y, type: f32, shape: [n]}}
                args: [2, n]
        """;
    assertEquals("soft0", run(job).device());
    JobResult result = run(job.replace("team-a", "team-b"));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals("soft1", result.device());
    assertNothingLeft();
  }

  @Test
  void aDeviceThatIsNotThereFailsTheJobBeforeItBegins() throws Exception {
    JobResult result = run(STEPS.replace("soft1", "soft7"));
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("soft7"), result.error());
    assertEquals(0, harness.device.submissions.get());
    assertNothingLeft();
  }

  @Test
  void theCrashOfOneDeviceIsNotThatOfTheOther() throws Exception {
    second.plan.at(1, FakePlan.Event.GONE);
    harness.device.plan.at(2, FakePlan.Event.CRASH);
    JobResult result = run(STEPS);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(Numbers32.raw(6, 12, 18), Files.readAllBytes(folder.resolve("z")));
    assertEquals(2, second.submissions.get());
    assertNothingLeft();
  }

  private JobResult run(String text) throws IOException {
    return harness.run(
        Files.writeString(folder.resolve("job.yml"), text), folder.toAbsolutePath(), Map.of());
  }

  private void assertNothingLeft() {
    harness.assertNothingLeft();
    assertEquals(0, second.contexts.get());
    assertEquals(0, second.used.get());
  }
}
