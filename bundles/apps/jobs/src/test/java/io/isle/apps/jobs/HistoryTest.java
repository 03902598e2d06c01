package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @Test
  void survivesARestart() {
    Path file = folder.resolve("jobs").resolve("history.jsonl");
    History history = new History(file);
    JobInfo done = job(history.nextId(), JobState.DONE);
    history.put(done);
    JobInfo failed = job(history.nextId(), JobState.FAILED);
    history.put(failed);
    History again = new History(file);
    assertEquals(List.of(done, failed), again.list());
    assertEquals("3", again.nextId());
  }

  @Test
  void aThousandJobsAndARestart() throws IOException {
    Path job = Files.writeString(folder.resolve("job.yml"), "job: j\nsteps: [{program: noop}]");
    for (int i = 0; i < 1000; i++) {
      assertEquals(JobState.DONE, harness.run(job, folder, Map.of()).state());
    }
    List<JobInfo> before = harness.service.list();
    Path file = harness.data.resolve("history.jsonl");
    History again = new History(file);
    assertEquals(before, again.list());
    assertEquals(Jobs.MAX_HISTORY, before.size());
    assertEquals("1000", before.getLast().id());
    assertEquals("1001", again.nextId());
    assertEquals(List.of("history.jsonl"), harness.names(harness.data));
  }

  @Test
  void whatRanWhenThePlatformEndedHasFailed() {
    Path file = folder.resolve("history.jsonl");
    History history = new History(file);
    history.put(job(history.nextId(), JobState.RUNNING));
    JobResult result = new History(file).find("1").orElseThrow().result();
    assertEquals(JobState.FAILED, result.state());
    assertEquals("the platform ended while the job ran", result.error());
  }

  @Test
  void isBoundedAndForgetsTheOldestThatEnded() {
    History history = new History(folder.resolve("history.jsonl"));
    history.put(job(history.nextId(), JobState.RUNNING));
    for (int i = 0; i < Jobs.MAX_HISTORY + 5; i++) {
      history.put(job(history.nextId(), JobState.DONE));
    }
    assertEquals(Jobs.MAX_HISTORY, history.list().size());
    assertTrue(history.find("1").isPresent());
    assertFalse(history.find("2").isPresent());
  }

  /** Jobs may have thousands of steps: the file stays one that can be read again. */
  @Test
  void whatIsTooLongForTheFileIsForgottenOldestFirst() throws IOException {
    Path file = folder.resolve("history.jsonl");
    History history = new History(file);
    StepTimes step = job("1", JobState.DONE).result().steps().getFirst();
    for (int i = 0; i < 5; i++) {
      JobInfo plain = job(history.nextId(), JobState.DONE);
      history.put(withSteps(plain, Collections.nCopies(100_000, step)));
    }
    assertTrue(Files.size(file) <= HistoryFile.MAX_BYTES, "length " + Files.size(file));
    assertTrue(new History(file).find("5").isPresent());
    assertTrue(new History(file).find("1").isEmpty());
  }

  static JobInfo withSteps(JobInfo job, List<StepTimes> steps) {
    JobResult r = job.result();
    return new JobInfo(
        job.id(),
        job.job(),
        job.file(),
        job.user(),
        job.startedMs(),
        new JobResult(
            r.job(),
            r.state(),
            r.device(),
            r.tier(),
            r.elapsedNs(),
            r.bytes(),
            r.blocks(),
            r.survival(),
            steps,
            r.measured(),
            r.outputs(),
            r.claims(),
            r.error(),
            r.exitStatus()));
  }

  @Test
  void theServiceListsAndFindsJobs() throws IOException {
    Path job = Files.writeString(folder.resolve("job.yml"), "job: j\nsteps: [{program: noop}]");
    harness.run(job, folder, Map.of());
    assertEquals(harness.service.list(), List.of(harness.service.find("1").orElseThrow()));
    assertEquals("tester", harness.started.user());
    assertEquals(JobState.RUNNING, harness.started.result().state());
    assertThrows(JobException.class, () -> harness.service.cancel("99"));
    assertTrue(harness.service.find("99").isEmpty());
  }

  @Test
  void stepsAreKeptWithoutWhatIsOnlyForThePicture() throws IOException {
    Path job =
        Files.writeString(folder.resolve("job.yml"), "job: j\nsteps: [{program: noop, name: a}]");
    JobResult result = harness.run(job, folder, Map.of());
    StepTimes step = harness.service.find("1").orElseThrow().result().steps().getFirst();
    assertEquals(result.steps().getFirst().withoutSpans(), step);
    assertFalse(result.steps().getFirst().spans().isEmpty());
    Path file = harness.data.resolve("history.jsonl");
    assertEquals(List.of(step), new History(file).find("1").orElseThrow().result().steps());
  }

  static JobInfo job(String id, JobState state) {
    JobResult result =
        new JobResult(
            "name",
            state,
            null,
            0,
            1,
            2,
            3,
            new Survival(4, 5, 6, 7, 8, List.of()),
            List.of(
                new StepTimes(
                    "main", "a: b", "soft0", "high", 1, 2, 3, 4, 5, 6, 7, 8, 9, List.of())),
            new Measured(
                List.of(new Measured.GroupShare("quiet", 70, Double.NaN, 1, 2, -1, 3, 4)),
                List.of(new Measured.PeriodicTimes("main", "s", "high", 1, 2, 3, 4, 5, 6))),
            List.of(new JobResult.Output("hash", "/tmp/a b: c", 6)),
            List.of(new JobResult.Claim("c: 'd'", 0.1, "== 1", false)),
            state == JobState.FAILED ? "why: \u00e9" : null,
            state == JobState.FAILED ? 1 : 0);
    return new JobInfo(id, "name", "/x/job.yml", "me", 1234567890123L, result);
  }
}
