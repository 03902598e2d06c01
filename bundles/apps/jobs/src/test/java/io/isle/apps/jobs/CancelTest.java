package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job can be cancelled wherever it is, and leaves nothing. */
@Timeout(60)
class CancelTest {
  private static final int MIB = 1 << 20;
  private static final byte[] DATA = BlockhashTest.random(40 * MIB);
  private static final Map<String, String> IN_OUT = Map.of("input", "in", "output", "out");

  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);
  private final Path hash = Path.of("../../../examples/blockhash/job.yml").toAbsolutePath();

  @BeforeEach
  void input() throws IOException {
    Files.write(folder.resolve("in"), DATA);
  }

  @Test
  void cancelEndsTheJobAndLeavesTheOldOutput() throws Exception {
    Files.writeString(folder.resolve("out"), "old");
    CompletableFuture<JobResult> running = held();
    assertTrue(harness.service.cancel("1"));
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state());
    assertEquals(1, result.exitStatus());
    assertEquals("old", Files.readString(folder.resolve("out")));
    assertEquals(List.of("in", "out"), harness.names(folder));
    assertFalse(harness.service.cancel("1"));
    harness.assertNothingLeft();
  }

  @Test
  void anInterruptOfTheCallerIsItsOwnExitStatus() throws Exception {
    CompletableFuture<JobResult> running = held();
    harness.runner.interrupt();
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state());
    assertEquals(130, result.exitStatus());
    assertEquals(List.of("in"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void stoppingTheServiceEndsJobsAndRefusesNewOnes() throws Exception {
    CompletableFuture<JobResult> running = held();
    harness.service.close();
    assertEquals(JobState.CANCELLED, running.get(20, TimeUnit.SECONDS).state());
    JobException e =
        assertThrows(JobException.class, () -> harness.run(hash, folder, Map.of("input", "in")));
    assertEquals(Errno.ECLOSED, e.code());
    harness.assertNothingLeft();
  }

  /** A job that stands still in the middle, with its output begun. */
  private CompletableFuture<JobResult> held() throws InterruptedException {
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running = harness.begin(hash, folder, IN_OUT);
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    assertEquals(JobState.RUNNING, harness.service.find("1").orElseThrow().result().state());
    return running;
  }

  @Test
  void aFifoThatNobodyWritesCanBeCancelled() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    CompletableFuture<JobResult> running =
        harness.begin(hash, folder, Map.of("input", "fifo", "print", "true"));
    Harness.until(() -> Harness.threadExists(name -> name.endsWith("-reader")));
    assertTrue(harness.service.cancel("1"));
    assertEquals(JobState.CANCELLED, running.get(20, TimeUnit.SECONDS).state());
    harness.assertNothingLeft();
  }

  @Test
  void anOutputFifoThatNobodyReadsCanBeCancelled() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    CompletableFuture<JobResult> running =
        harness.begin(hash, folder, Map.of("input", "in", "output", "fifo"));
    Harness.until(() -> Harness.threadExists("isle-job-open"::equals));
    assertTrue(harness.service.cancel("1"));
    assertEquals(JobState.CANCELLED, running.get(20, TimeUnit.SECONDS).state());
    harness.assertNothingLeft();
  }

  @Test
  void whileAWholeInputIsAwaited() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", folder + "/fifo").start().waitFor());
    cancelled(
        """
        - program: copy
          in: {x: {file: fifo, type: u8, shape: [4]}}
          out: {y: {file: out, type: u8, shape: [4]}}
        """,
        () -> Harness.until(() -> Harness.threadExists("isle-job-open"::equals)));
  }

  @Test
  void whileAnotherStreamIsAwaited() throws Exception {
    harness.device.gate = new CountDownLatch(1);
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: j
            streams:
              - {name: a, steps: [{program: busy, args: [1]}]}
              - {name: b, steps: [{program: noop, after: a/step0}]}
            """);
    cancelled(job, () -> assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS)));
  }

  @Test
  void whileThePlatformIsAwaited() throws Exception {
    harness.coreIsThere = false;
    cancelled("- {program: noop}", () -> Harness.until(() -> harness.started != null));
  }

  private interface Moment {
    void await() throws Exception;
  }

  private void cancelled(String steps, Moment moment) throws Exception {
    cancelled(Harness.job(folder, steps), moment);
  }

  private void cancelled(Path job, Moment moment) throws Exception {
    CompletableFuture<JobResult> running = harness.begin(job, folder.toAbsolutePath(), Map.of());
    moment.await();
    assertTrue(harness.service.cancel("1"));
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state(), result.error());
    assertFalse(Files.exists(folder.resolve("out")));
    harness.assertNothingLeft();
  }
}
