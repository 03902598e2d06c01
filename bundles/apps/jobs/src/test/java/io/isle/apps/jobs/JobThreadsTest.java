package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.core.testing.Thrown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown in a thread of a job, the job ends, says so, and leaves nothing. */
@Timeout(60)
class JobThreadsTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("planned"),
        new AssertionError("planned"),
        new OutOfMemoryError("no thread: planned"));
  }

  private JobResult run(String job) throws IOException {
    Path file = Files.writeString(folder.resolve("job.yml"), job);
    return harness.run(file, folder.toAbsolutePath(), Map.of());
  }

  private void failed(JobResult result) {
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("planned"), result.error());
    assertEquals(JobState.FAILED, history());
    harness.assertNothingLeft();
  }

  private JobState history() {
    return harness.service.find("1").orElseThrow().result().state();
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void theThreadThatRunsTheJob(Throwable thrown) throws Exception {
    harness.accelerators =
        new FakeAccelerators(
            harness.device::list,
            query -> {
              Thrown.raise(thrown);
              return null;
            });
    failed(run("job: j\nsteps: [{program: noop}]"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whoeverHearsOfItsBegin(Throwable thrown) {
    harness.onStarted = () -> Thrown.raise(thrown);
    assertThrows(thrown.getClass(), () -> run("job: j\nsteps: [{program: noop}]"));
    assertEquals(JobState.FAILED, history());
    harness.assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aStreamThatCannotBeStartedEndsTheOthers(Throwable thrown) throws Exception {
    AtomicInteger made = new AtomicInteger();
    harness.threads =
        (name, work) -> {
          if (made.incrementAndGet() == 2) {
            return new Thread(work, name) {
              @Override
              public void start() {
                Thrown.raise(thrown);
              }
            };
          }
          return Thread.ofPlatform().name(name).unstarted(work);
        };
    failed(
        run(
            """
            job: j
            streams:
              - {name: a, steps: [{program: noop, for: 3600s}]}
              - {name: b, steps: [{program: noop, for: 3600s}]}
              - {name: c, steps: [{program: noop, for: 3600s}]}
            """));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aStream(Throwable thrown) throws Exception {
    Files.write(folder.resolve("in"), BlockhashTest.random(1000));
    harness.onProgress = () -> Thrown.raise(thrown);
    failed(run("job: j\nsteps: [{program: copy, in: in, out: out}]"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void whatMeasuresAtABarrierHoldsNoStepUp(Throwable thrown) throws Exception {
    harness.device.onCounters = () -> Thrown.raise(thrown);
    JobResult result =
        run(
            """
            job: j
            steps: [{program: noop, barrier: go}]
            claims: [{name: share, value: group.default.measured, goal: '>= 0'}]
            """);
    assertEquals("claim does not hold: share", result.error());
    harness.assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void theScheduleOfFaults(Throwable thrown) throws Exception {
    Files.write(folder.resolve("in"), BlockhashTest.random(1000));
    harness.device.logged = "soft7";
    harness.core.onFault = fault -> Thrown.raise(thrown);
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: faults
            setup: {devices: {soft7: {fault_injection: true}}}
            steps: [{program: sha256, in: in, args: [1MiB], repeat: faults, out: out}]
            faults: [{device: soft7, fault: segv, after: 1}]
            """);
    failed(harness.asAdmin(job, Map.of()));
  }
}
