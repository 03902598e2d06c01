package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.FakePlan.Event;
import io.isle.apps.jobs.platform.ArrayBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/**
 * Whatever happens to the device and whenever: a loop's results are those of an undisturbed run.
 */
class LoopRecoveryTest {
  private static final int TURNS = 400;
  private static final int[] INPUT = {5, 1, 7};

  /** Two loops, of which the second one begins with what the first one left on the device. */
  private static final String JOB =
      """
      job: j
      retries: %d
      steps:
        - name: first
          in: {a: {file: x, type: u32, shape: [n]}}
          temp:
            b: {type: u32, shape: [n]}
            left: {type: u32, shape: [1]}
          out: {a: {}}
          loop:
            for: t
            to: %d
            %s
            swap: [a, b]
            until: {buffer: left, goal: == 4294966996, check: 20}
            steps:
              - {program: step-u32, args: [a, b, t]}
              - {program: down-u32, args: [left]}
        - name: second
          in: {a: {from: first.a, shape: [n]}}
          out: {b: {file: y, type: u32, shape: [n]}}
          loop:
            times: 3
            checkpoint: 1
            steps:
              - {program: step-u32, args: [a, b, 1]}
              - {program: step-u32, args: [b, a, 2]}
              - {program: copy, args: [a, b]}
      claims:
        - {name: turns, value: step.first.turns, goal: "> 0"}
      """;

  private Path folder;
  private Harness harness;

  /** Whether the steps run kernels of a file, which the driver describes. */
  private boolean kernels;

  @BeforeTry
  void begin() throws IOException {
    folder = Files.createTempDirectory("isle-loop");
    Files.write(folder.resolve("x"), LoopReference.raw(INPUT));
    harness = new Harness(1 << 20);
    harness.device.signal = FakeAccelerator.SIGKILL;
    kernels = false;
  }

  @AfterTry
  void end() throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 80)
  void theResultsAreThoseOfAnUndisturbedRun(
      @ForAll("plans") Map<Integer, Event> plan,
      @ForAll("checkpoints") String checkpoint,
      @ForAll boolean staging)
      throws Exception {
    harness.device.staging = staging;
    kernels = staging;
    plan.forEach(harness.device.plan::at);
    assertRight(run(1000, checkpoint));
    harness.assertNothingLeft();
  }

  private void assertRight(JobResult result) throws IOException {
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(300, result.claims().getFirst().value());
    int[] values = LoopReference.steps(INPUT, 300);
    for (int i = 0; i < 3; i++) {
      LoopReference.step(values, 1);
      LoopReference.step(values, 2);
    }
    assertArrayEquals(LoopReference.raw(values), Files.readAllBytes(folder.resolve("y")));
  }

  private JobResult run(int retries, String checkpoint) throws IOException {
    String job = JOB.formatted(retries, TURNS, checkpoint);
    return harness.run(
        Files.writeString(folder.resolve("job.yml"), kernels ? inFiles(job) : job),
        folder,
        Map.of());
  }

  private String inFiles(String job) throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.writeString(folder.resolve("k.cl"), "step-u32\ndown-u32\n");
    return job.replaceAll(
        "program: (step|down)-u32,", "program: {file: k.cl, kernel: $1_u32}, size: [1],");
  }

  /** Six hundred dispatches, of which only those since the checkpoint are done again. */
  @Example
  void itGoesOnFromTheLastCheckpoint() throws Exception {
    harness.device.plan.at(25, Event.CRASH_AFTER);
    JobResult result = run(5, "checkpoint: 10");
    assertRight(result);
    assertEquals(1, result.survival().recoveries());
    long again = harness.device.ran.get() - 600 - 9;
    assertTrue(again > 0 && again <= 2 * 20, again + " dispatches more");
  }

  /**
   * The contents are there, but not the device's copies that turns work on: work that reads them is
   * refused, and the loop goes on from its checkpoint as after a crash.
   */
  @Example
  void anUpdateEndsTheCopiesThatTurnsWorkOn() throws Exception {
    harness.device.staging = true;
    kernels = true;
    harness.device.plan.at(25, Event.UPDATE);
    JobResult result = run(5, "checkpoint: 10");
    assertRight(result);
    assertEquals(1, result.survival().recoveries());
    assertTrue(result.survival().failed() > 0, result.survival()::toString);
    // none, if the update came just behind a checkpoint
    long again = harness.device.ran.get() - 600 - 9;
    assertTrue(again >= 0 && again <= 2 * 20, again + " dispatches more");
    harness.assertNothingLeft();
  }

  /** Crashes come again and again; what is done between them counts. */
  @Example
  void aLoopThatGetsFurtherIsNeverTriedTooOften() throws Exception {
    for (int submission = 8; submission < 80; submission += 7) {
      harness.device.plan.at(submission, Event.CRASH);
    }
    JobResult result = run(1, "checkpoint: 10");
    assertRight(result);
    assertTrue(result.survival().retries() > 3, result.survival()::toString);
  }

  /** A kernel that always ends the driver at the same turn gets no further, and is to blame. */
  @Example
  void aTurnThatEndsTheDriverFailsTheJob() throws Exception {
    harness.device.signal = 11;
    harness.device.crashWhen = 4294967296L - 150;
    JobResult result = run(100, "checkpoint: 10");
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("ends the device's driver: 3 tries"), result.error());
    assertTrue(result.error().contains("step first: the program step-u32"), result.error());
    assertTrue(harness.device.ran.get() < 300 + 4 * 60, "" + harness.device.ran);
  }

  @Example
  void checkpointsThatAreAskedForNeedMemory() throws Exception {
    harness.arrays = new ArrayBudget(40);
    JobResult result = run(5, "checkpoint: 10");
    assertEquals(JobState.FAILED, result.state());
    assertTrue(
        result.error().contains("three quarters of the JVM's direct memory"), result.error());
  }

  @Provide
  Arbitrary<Map<Integer, Event>> plans() {
    return Arbitraries.maps(Arbitraries.integers().between(1, 60), Arbitraries.of(Event.class))
        .ofMaxSize(10)
        .map(TreeMap::new);
  }

  @Provide
  Arbitrary<String> checkpoints() {
    return Arbitraries.of("", "checkpoint: 0", "checkpoint: 1", "checkpoint: 7");
  }
}
