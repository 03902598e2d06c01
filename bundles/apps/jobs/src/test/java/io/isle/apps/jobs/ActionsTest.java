package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.tenancy.Permission;
import io.isle.apps.jobs.spec.JobParser;
import io.isle.core.testing.Thrown;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of a kind that another bundle brings. */
@Timeout(60)
class ActionsTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);
  private final Shout shout = new Shout();

  /** What the runs of {@link Shout} do. */
  private interface Work {
    void run(ActionStep step) throws IOException, InterruptedException;
  }

  /** Writes a text in capitals, several times. */
  private static final class Shout implements JobAction {
    volatile Work work = Shout::shout;
    final List<String> faults = new CopyOnWriteArrayList<>();
    volatile CountDownLatch faulted = new CountDownLatch(0);

    @Override
    public String key() {
      return "shout";
    }

    @Override
    public List<ActionParameter> parameters() {
      return List.of(
          ActionParameter.of("in", Kind.FILE),
          ActionParameter.of("out", Kind.OUT).optional(),
          ActionParameter.whole("times", 1, 9).orElse("1"),
          ActionParameter.choice("how", "loud", "louder").orElse("loud"),
          ActionParameter.of("mark", Kind.TEXT).optional(),
          ActionParameter.of("print", Kind.FLAG).orElse("false"),
          ActionParameter.of("weight", Kind.NUMBER).orElse("1.5"));
    }

    @Override
    public Optional<ActionMistake> check(ActionValues values) {
      return values.text("how").equals("louder") && !values.has("mark")
          ? Optional.of(new ActionMistake("how", "'louder' needs a 'mark'"))
          : Optional.empty();
    }

    @Override
    public Set<String> measures() {
      return Set.of("letters", "weight", "unknown");
    }

    @Override
    public Set<String> faults() {
      return Set.of("cough");
    }

    @Override
    public void fault(ActionStep step, String fault, long count, long value) {
      faults.add(step.name() + " " + fault + " " + count + " " + value);
      faulted.countDown();
    }

    @Override
    public void run(ActionStep step) throws IOException, InterruptedException {
      work.run(step);
    }

    static void shout(ActionStep step) throws IOException, InterruptedException {
      ActionValues values = step.values();
      String text;
      try (InputStream in = step.read("in")) {
        text = new String(in.readAllBytes(), StandardCharsets.UTF_8).toUpperCase(Locale.ROOT);
      }
      text =
          text.repeat((int) values.whole("times"))
              + (values.has("mark") ? values.text("mark") : "");
      if (values.has("out")) {
        step.write("out").write(text.getBytes(StandardCharsets.UTF_8));
      }
      if (values.flag("print")) {
        step.print(step.job() + " " + step.stream() + "/" + step.name() + " " + step.device());
      }
      step.done(text.length(), 1);
      step.measure("letters", text.length());
      step.measure("weight", values.number("weight"));
    }
  }

  @BeforeEach
  void input() throws IOException {
    Files.writeString(folder.resolve("in"), "a word");
    harness.actions.add(shout);
  }

  private record Keyed(String key) implements JobAction {
    @Override
    public List<ActionParameter> parameters() {
      return List.of();
    }

    @Override
    public void run(ActionStep step) {}
  }

  @ParameterizedTest
  @CsvSource({
    "spin-ping, true",
    "a_1, true",
    "Shout, false",
    "-a, false",
    "a.b, false",
    "program, false"
  })
  void aKeyIsAWordThatNoStepHasForSomethingElse(String key, boolean possible) {
    assertEquals(possible, JobParser.isKindOfStep(new Keyed(key)));
  }

  private JobResult run(String job) throws IOException {
    Path file = Files.writeString(folder.resolve("job.yml"), job);
    return harness.asAdmin(file, Map.of());
  }

  private JobException mistake(String step) {
    JobException e = assertThrows(JobException.class, () -> run("{job: j, steps: [" + step + "]}"));
    assertEquals(ExitStatus.USAGE, e.exitStatus(), e.getMessage());
    return e;
  }

  @Test
  void aStepHasItsParametersOutputsAndMeasures() throws Exception {
    JobResult result =
        run(
            """
            job: j
            params: {often: {type: int, default: 2}}
            steps:
              - name: once-more
                shout: {in: in, out: out, times: "${often}", mark: "!", print: true, weight: 2.5}
            claims:
              - {name: letters, value: step.once_more.letters, goal: == 13}
              - {name: weight, value: step.once_more.weight, goal: == 2.5}
              - {name: counted, value: bytes + blocks, goal: == 14}
              - {name: written, value: written, goal: == 13}
            """);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals("A WORDA WORD!", Files.readString(folder.resolve("out")));
    assertEquals("1 main/once-more fake0\n", harness.printed());
    assertEquals("once-more", result.outputs().getFirst().step());
    assertEquals(13, result.outputs().getFirst().bytes());
    assertEquals("normal", result.steps().getFirst().priority());
    assertEquals(13, result.steps().getFirst().bytes());
    assertEquals(13, harness.progress);
    harness.assertNothingLeft();
  }

  @Test
  void aLaterStepReadsWhatAnEarlierOneWritesAndAFailedJobLeavesNothing() throws Exception {
    String steps =
        """
        job: j
        steps:
          - {program: copy, in: in, out: copied}
          - {name: a, shout: {in: copied, out: out}}
          - {name: b, shout: {in: out, times: 3}}
        claims:
          - {name: b, value: step.b.letters, goal: == %d}
        """;
    JobResult result = run(steps.formatted(18));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals("A WORD", Files.readString(folder.resolve("out")));
    Files.delete(folder.resolve("out"));
    Files.delete(folder.resolve("copied"));
    shout.work =
        step -> {
          Shout.shout(step);
          if (step.name().equals("b")) {
            throw JobException.failed(Errno.ENODATA, "nothing to shout at", null);
          }
        };
    result = run(steps.formatted(18));
    assertEquals("nothing to shout at", result.error());
    assertEquals(List.of("in", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void whatIsNotMeasuredHoldsInNoClaim() throws Exception {
    JobResult result =
        run(
            "{job: j, steps: [{name: s, shout: {in: in}}],"
                + " claims: [{name: known, value: step.s.unknown, goal: '>= 0'}]}");
    assertEquals("claim does not hold: known", result.error());
  }

  @Test
  void aRightToTheDeviceIsThereForTheJobOnly() throws Exception {
    CompletableFuture<Boolean> valid = new CompletableFuture<>();
    shout.work =
        step ->
            valid.complete(
                step.capability().valid()
                    && step.capability().permissions().contains(Permission.ACCEL_COMPUTE)
                    && step.capability().group().equals(step.group()));
    JobResult result = run("{job: j, steps: [{shout: {in: in}}]}");
    assertEquals(JobState.DONE, result.state(), result.error());
    assertTrue(valid.get());
    harness.assertNothingLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {shout: {}}                                |steps[0].shout: needs 'in'
          {shout: }                                  |steps[0].shout: needs 'in'
          {shout: {in: ''}}                          |steps[0].shout.in: needs a file
          {shout: {in: in, times: 10}}               |steps[0].shout.times: must be a whole number from 1 to 9
          {shout: {in: in, how: quietly}}            |steps[0].shout.how: 'quietly' is not one of loud, louder
          {shout: {in: in, how: louder}}             |steps[0].shout.how: 'louder' needs a 'mark'
          {shout: {in: in, print: maybe}}            |steps[0].shout.print: must be true or false
          {shout: {in: in, weight: much}}            |steps[0].shout.weight: must be a number
          {shout: {in: in, loud: true}}              |steps[0].shout.loud: unknown key
          {shout: {in: in}, program: noop}           |steps[0].program: cannot be used together with 'shout' in one step
          {shout: {in: in}, repeat: 2}               |steps[0].repeat: cannot be used together with 'shout' in one step
          {whisper: {in: in}}                        |steps[0].whisper: unknown key
          {name: x}                                  |needs 'program' or 'loop', or one of shout
          """)
  void mistakesAreToldWithPlaceAndField(String step, String message) {
    String told = mistake(step).getMessage();
    assertTrue(told.contains("job.yml:1:"), told);
    assertTrue(told.contains(message), told);
  }

  @Test
  void twoStepsWhoseMeasuresHaveOneNameAreRefused() {
    String told =
        mistake("{name: a-b, shout: {in: in}}, {name: a_b, shout: {in: in}}").getMessage();
    assertTrue(told.contains("claims name the measures of two steps alike"), told);
  }

  @Test
  void anInputThatNobodyWritesMustBeThereBeforeTheJobBegins() {
    JobException e =
        assertThrows(
            JobException.class, () -> run("{job: j, steps: [{shout: {in: nowhere, out: o}}]}"));
    assertEquals(Errno.ENOENT, e.code());
    assertTrue(e.getMessage().contains("nowhere"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatALaterStepWritesIsRefusedBeforeAnythingRuns(boolean there) throws Exception {
    if (there) {
      Files.writeString(folder.resolve("o"), "of another job");
    }
    for (String late : List.of("shout: {in: in, out: o}", "program: copy, in: in, out: ./o")) {
      String told =
          mistake("{name: early, shout: {in: o}}, {name: late, " + late + "}").getMessage();
      assertTrue(told.contains("job.yml:1:"), told);
      assertTrue(told.contains("steps[0].shout: the step main/early reads "), told);
      assertTrue(told.contains("o, which the step main/late writes later"), told);
    }
    assertEquals(0, harness.device.submissions.get());
  }

  @Test
  void aFileThatAStepOfAnotherStreamWritesNeedsAnOrder() throws Exception {
    String job =
        "{job: j, streams: [{name: a, steps: [{name: reads, shout: {in: o}%s}]},"
            + " {name: b, steps: [{name: writes, shout: {in: in, out: o}}]}]}";
    JobException e = assertThrows(JobException.class, () -> run(job.formatted("")));
    assertEquals(ExitStatus.USAGE, e.exitStatus());
    assertTrue(e.getMessage().contains("perhaps later; add 'after: b/writes'"), e.getMessage());
    JobResult result = run(job.formatted(", after: b/writes"));
    assertEquals(JobState.DONE, result.state(), result.error());
  }

  @Test
  void anOutputThatTwoStepsWriteIsRefused() {
    String told = mistake("{shout: {in: in, out: o}}, {shout: {in: in, out: o}}").getMessage();
    assertTrue(told.contains("another step also writes"), told);
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whatAKindThrowsFailsTheJobOnly(Throwable thrown) throws Exception {
    shout.work = step -> Thrown.raise(thrown);
    JobResult result = run("{job: j, steps: [{shout: {in: in}}]}");
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("planned"), result.error());
    harness.assertNothingLeft();
    shout.work = Shout::shout;
    assertEquals(JobState.DONE, run("{job: j, steps: [{shout: {in: in}}]}").state());
  }

  @Test
  void aFileThatCannotBeReadFailsTheStepWithItsPlace() throws Exception {
    shout.work =
        step -> {
          throw new FileNotFoundException("planned");
        };
    JobResult result = run("{job: j, steps: [{shout: {in: in}}]}");
    assertTrue(result.error().contains("job.yml:1:"), result.error());
    assertTrue(result.error().contains("steps[0].shout: "), result.error());
    assertTrue(result.error().contains("planned"), result.error());
  }

  @Test
  void faultsOfAStepHappenWhileItRuns() throws Exception {
    shout.faulted = new CountDownLatch(1);
    shout.work =
        step -> {
          // the schedule counts pieces from whenever its thread begins
          while (shout.faulted.getCount() > 0) {
            step.done(1, 1);
            Thread.onSpinWait();
          }
          Shout.shout(step);
        };
    JobResult result =
        run(
            """
            job: j
            steps:
              - {program: copy, in: in, out: copied}
              - {name: s, shout: {in: copied}}
            faults:
              - {step: s, fault: cough, after: 1, count: 3, value: 7}
            claims:
              - {name: happened, value: faults, goal: == 1}
              - {name: no crash, value: recoveries + segv, goal: == 0}
            """);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(List.of("s cough 3 7"), shout.faults);
    harness.assertNothingLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {step: s, fault: sneeze}               |faults[0].fault: 'sneeze' is not one of cough
          {step: t, fault: cough}                |faults[0].step: no step 'main/t' exists
          {step: p, fault: cough}                |faults[0].step: the step 'main/p' has no faults
          {fault: cough}                         |needs 'device' and 'fault', or 'step' and 'fault'
          {step: s, device: soft7, fault: cough} |needs 'device' and 'fault', or 'step' and 'fault'
          """)
  void faultsThatCannotBeAreRefused(String fault, String message) {
    JobException e =
        assertThrows(
            JobException.class,
            () ->
                run(
                    "{job: j, steps: [{name: s, shout: {in: in}}, {name: p, program: noop}],"
                        + " faults: ["
                        + fault
                        + "]}"));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void aCancelInterruptsTheRun() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    shout.work =
        step -> {
          begun.countDown();
          new CountDownLatch(1).await();
        };
    Path job = Files.writeString(folder.resolve("job.yml"), "{job: j, steps: [{shout: {in: in}}]}");
    CompletableFuture<JobResult> running = harness.begin(job, folder, Map.of());
    begun.await();
    assertTrue(harness.service.cancel("1"));
    assertEquals(JobState.CANCELLED, running.get(20, TimeUnit.SECONDS).state());
    harness.assertNothingLeft();
  }

  @Test
  void aBundleThatStopsWaitsForTheEndOfItsSteps() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    shout.work =
        step -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            ended.complete(true);
          }
        };
    Path job = Files.writeString(folder.resolve("job.yml"), "{job: j, steps: [{shout: {in: in}}]}");
    CompletableFuture<JobResult> running = harness.begin(job, folder, Map.of());
    begun.await();
    harness.actions.remove(shout);
    assertTrue(ended.isDone());
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(
        result.error().contains("the bundle that provides steps of the kind 'shout' was stopped"),
        result.error());
    assertFalse(Thread.interrupted());
    harness.assertNothingLeft();
    mistake("{shout: {in: in}}");
  }

  @Test
  void aStepWhoseKindHasGoneBeforeItsTurnFails() throws Exception {
    harness.onStarted = () -> harness.actions.remove(shout);
    JobResult result = run("{job: j, steps: [{shout: {in: in}}]}");
    assertTrue(result.error().contains("was stopped"), result.error());
  }

  @Test
  void keysOfJobsCannotBeTakenAndOfTwoKindsTheFirstCounts() {
    harness.actions.add(new Named("program"));
    harness.actions.add(new Named("No good"));
    harness.actions.add(new Named("shout"));
    harness.actions.add(new Named("other"));
    assertEquals(Set.of("other", "shout"), harness.actions.byKey().keySet());
    assertEquals(shout, harness.actions.byKey().get("shout"));
  }

  private record Named(String key) implements JobAction {
    @Override
    public List<ActionParameter> parameters() {
      return List.of();
    }

    @Override
    public void run(ActionStep step) {}
  }
}
