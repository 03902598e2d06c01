package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps with a loop. */
@Timeout(60)
class LoopTest {
  private static final int[] INPUT = {5, 1, 7};

  private static final String STEPS =
      """
      - name: go-on
        in: {a: {file: x, type: u32, shape: [n]}}
        temp: {b: {type: u32, shape: [n]}}
        out: {a: {file: y}}
        loop:
          for: t
          to: %s
          swap: [a, b]
          steps:
            - {program: step-u32, args: [a, b, t]}
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "2, false", "1001, false", "1001, true", "7, true"})
  void eachTurnFindsWhatTheOneBeforeHasWritten(int turns, boolean staging) throws Exception {
    harness.device.staging = staging;
    input(INPUT);
    JobResult result = done(kernels(STEPS.formatted(turns)));
    assertOutput("y", LoopReference.steps(INPUT, turns));
    assertEquals(1, result.steps().getFirst().pieces());
    assertEquals(turns, harness.device.ran.get());
  }

  /** Even far turns have their variable; many go in one submission. */
  @Test
  void manyDispatchesGoInOneSubmission() throws Exception {
    input(INPUT);
    done(STEPS.formatted(100_000));
    assertOutput("y", LoopReference.steps(INPUT, 100_000));
    int submissions = harness.device.submissions.get();
    assertTrue(submissions < 10_000, submissions + " submissions");
  }

  @Test
  void loopsInLoopsAndTheirVariables() throws Exception {
    input(INPUT);
    done(
        """
        - name: nested
          in: {a: {file: x, type: u32, shape: [n]}}
          temp: {b: {type: u32, shape: [n]}}
          out: {a: {file: y}}
          loop:
            for: i
            from: n
            to: -1
            by: -1
            steps:
              - loop:
                  times: i
                  steps:
                    - loop: {times: 2, swap: [[a, b]], steps: [{program: step-u32, args: [a, b, i * 2]}]}
              - loop:
                  for: j
                  from: i
                  to: 2 * n
                  by: 2
                  swap: [a, b]
                  steps: [{program: step-u32, args: [a, b, 100 * i + j]}]
        """);
    int[] values = INPUT.clone();
    for (int i = 3; i > -1; i--) {
      for (int k = 0; k < 2 * i; k++) {
        LoopReference.step(values, i * 2);
      }
      for (int j = i; j < 6; j += 2) {
        LoopReference.step(values, 100 * i + j);
      }
    }
    assertOutput("y", values);
  }

  @ParameterizedTest
  @CsvSource({"1, 5, false", "2, 6, false", "16, 16, false", "1, 5, true", "2, 6, true"})
  void untilEndsItAtACheck(int check, int turns, boolean staging) throws Exception {
    harness.device.staging = staging;
    input(INPUT);
    JobResult result = until(1000, check);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertOutput("y", LoopReference.steps(INPUT, turns));
    assertEquals(turns, result.claims().get(0).value());
    assertEquals(1, result.claims().get(1).value());
  }

  @Test
  void withoutItsGoalAllTurnsRun() throws Exception {
    input(INPUT);
    JobResult result = until(4, 1);
    assertOutput("y", LoopReference.steps(INPUT, 4));
    assertEquals(4, result.claims().get(0).value());
    assertEquals(0, result.claims().get(1).value());
  }

  private JobResult until(int turns, int check) throws IOException {
    String job =
        """
        job: j
        steps:
          - name: go-on
            in:
              a: {file: x, type: u32, shape: [n]}
              left: {values: [8, 5], type: u32, shape: [2]}
              end: {values: [5], type: i32, shape: [1]}
            temp: {b: {type: u32, shape: [n]}}
            out: {a: {file: y}}
            loop:
              for: t
              to: %d
              swap: [a, b]
              until: {buffer: end, goal: <= 0, check: %d}
              steps:
                - {program: step-u32, args: [a, b, t]}
                - {program: down-u32, args: [end]}
                - {program: down-u32, args: [left]}
        claims:
          - {name: turns, value: step.go_on.turns, goal: "> 0"}
          - {name: held, value: step.go_on.held, goal: ">= 0"}
        """;
    return run(kernels(job.formatted(turns, check)));
  }

  /** Nothing of the loop's buffers goes over the bus between begin and end. */
  @Test
  void turnsCopyNoBufferOfADeviceThatWorksOnCopies() throws Exception {
    harness.device.staging = true;
    int[] large = new int[10_000];
    input(large);
    done(kernels(STEPS.formatted("2000\n    checkpoint: 0")));
    int submissions = harness.device.submissions.get();
    assertTrue(submissions > 10, submissions + " submissions");
    long bytes = harness.device.copied.get();
    assertTrue(bytes <= 4 * 4L * large.length, bytes + " bytes copied");
    assertOutput("y", LoopReference.steps(large, 2000));
  }

  @Test
  void onlyTheElementOfUntilIsCopiedForAChecks() throws Exception {
    harness.device.staging = true;
    input(INPUT);
    until(1000, 1);
    long before = harness.device.copied.getAndSet(0);
    int submissions = harness.device.submissions.get();
    assertTrue(before < 4L * submissions + 200, before + " bytes of " + submissions);
  }

  /** What the next step reads where it is, and a repetition that begins anew. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resultsAreHandedOn(boolean staging) throws Exception {
    harness.device.staging = staging;
    input(INPUT);
    String steps =
        """
        - name: first
          program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {a: {type: f32, shape: [n]}}
          args: [1, n]
        - name: second
          in: {a: {from: first.a, shape: [n]}}
          out: {b: {file: b, type: f32, shape: [n]}}
          repeat: 3
          loop:
            for: t
            to: 5
            swap: [a, b]
            steps: [{program: step-u32, args: [{raw: a}, {raw: b}, t]}]
        - name: third
          program: copy
          in: {a: {from: first.a, shape: [n]}}
          out: {c: {file: c, type: f32, shape: [n]}}
        - name: fourth
          program: copy
          in: {b: {from: second.b, shape: [n]}}
          out: {c: {file: d, type: f32, shape: [n]}}
        """;
    done(kernels(steps));
    // five turns leave the last result in a, and the one before in b
    assertOutput("b", LoopReference.steps(INPUT, 4));
    assertOutput("d", LoopReference.steps(INPUT, 4));
    assertOutput("c", INPUT);
  }

  @Test
  void whatIsTellableOnlyAtRunTimeNamesItsPlace() throws Exception {
    input(INPUT);
    fails("swap: [a, b]", "swap: [a, c]", "loop.swap: exchanges buffers of different kinds: a is");
    fails("to: 3", "to: 3\n    by: n - 3", "loop.by: n - 3 is 0; the loop would not end");
    fails("to: 3", "to: n / 2", "loop.to: n / 2 is 1.5");
    fails(
        "to: 3",
        "to: 3\n    until: {buffer: c, index: n, goal: == 0}",
        "loop.until.index: n is 3; the value must be a whole number from 0 to 0");
    fails(
        "args: [a, b, t]", "args: [a, b]", "takes 3 args (buffer, buffer, i32); the step gives 2");
    fails("[a, b, t]", "[a, b, t - 2147483650]", "loop.steps[0].args[2]");
    assertFalse(Files.exists(folder.resolve("y")));
  }

  private void fails(String part, String other, String message) throws IOException {
    String steps =
        STEPS
            .formatted(3)
            .replace("shape: [n]}}\n  out", "shape: [n]}, c: {type: u32, shape: [1]}}\n  out");
    String used = steps + "      - {program: down-u32, args: [c]}\n";
    assertTrue(used.contains(part), used);
    harness.failed(folder, used.replace(part, other), message);
  }

  @Test
  void itIsCancelledBetweenBatches() throws Exception {
    input(INPUT);
    CountDownLatch runs = new CountDownLatch(1);
    harness.onTurn = runs::countDown;
    cancelled(STEPS.formatted("2000000000"), runs);
  }

  /** Turns that dispatch nothing wait for nobody who could be interrupted. */
  @Test
  void soIsOneWithoutDispatches() throws Exception {
    input(INPUT);
    CountDownLatch runs = new CountDownLatch(1);
    harness.onStarted = runs::countDown;
    String empty = "loop: {times: 0, steps: [{program: step-u32, args: [a, b, t]}]}";
    cancelled(
        STEPS.formatted("1000000000000").replace("{program: step-u32, args: [a, b, t]}", empty),
        runs);
  }

  private void cancelled(String steps, CountDownLatch runs) throws Exception {
    CompletableFuture<JobResult> running =
        harness.begin(Harness.job(folder, steps), folder.toAbsolutePath(), Map.of());
    assertTrue(runs.await(20, TimeUnit.SECONDS));
    assertTrue(harness.service.cancel("1"));
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state(), result.error());
    assertFalse(Files.exists(folder.resolve("y")));
    harness.assertNothingLeft();
  }

  /** With kernels of a file, which the driver describes, in the place of built-in programs. */
  private String kernels(String job) throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.writeString(folder.resolve("k.cl"), "step-u32\ndown-u32\n");
    return job.replaceAll(
        "program: (step|down)-u32,", "program: {file: k.cl, kernel: $1_u32}, size: [1],");
  }

  private void input(int... values) throws IOException {
    Files.write(folder.resolve("x"), LoopReference.raw(values));
  }

  private void assertOutput(String name, int... values) throws IOException {
    assertArrayEquals(LoopReference.raw(values), Files.readAllBytes(folder.resolve(name)));
  }

  private JobResult done(String steps) throws IOException {
    return harness.done(folder, steps);
  }

  private JobResult run(String job) throws IOException {
    return harness.run(
        Files.writeString(folder.resolve("job.yml"), job), folder.toAbsolutePath(), Map.of());
  }
}
