package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Survival;
import io.isle.apps.jobs.FakePlan.Event;
import io.isle.core.testing.FakeCapabilities;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs whose device crashes, goes, or comes back with a new core. */
@Timeout(60)
class RecoveryTest {
  private static final int BLOCK = 64 * 1024;
  private static final int PIECES = 5;

  /** Device memory for three pieces of four blocks, so that little input makes several pieces. */
  static final long MEMORY = 3 * (4L * (BLOCK + 32) + 2 * 4096 + 64);

  private static final String HASH =
      """
      job: j
      %s
      steps:
        - {program: sha256, in: in, args: [64KiB], out: {file: out, format: lines}%s}
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(MEMORY);
  private final byte[] data = BlockhashTest.random(4 * BLOCK * (PIECES - 1) + BLOCK + 3);

  @BeforeEach
  void input() throws IOException {
    Files.write(folder.resolve("in"), data);
  }

  @Test
  void memoryThatIsUnmappedUnderACopyCancelsNothing() throws Exception {
    harness.device.unmapped.set(2);
    assertEquals(2, survives("", "").retries());
  }

  @ParameterizedTest
  @EnumSource(names = "UPDATE", mode = EnumSource.Mode.EXCLUDE)
  void aPieceThatIsInterruptedIsDoneAgain(Event event) throws Exception {
    harness.device.plan.at(2, event);
    Survival survival = survives("", "");
    assertTrue(survival.retries() >= 1, survival::toString);
    boolean recovers = event != Event.LOST_INPUT && event != Event.STOPPED;
    assertEquals(recovers ? 1 : 0, survival.recoveries());
    // Work that had ended well is done again, too, when its results were not taken yet.
    assertTrue(survival.failed() <= survival.retries(), survival::toString);
  }

  @ParameterizedTest
  @EnumSource(names = "UPDATE", mode = EnumSource.Mode.EXCLUDE)
  void theFirstAndTheLastPieceToo(Event event) throws Exception {
    harness.device.plan.at(1, event);
    harness.device.plan.at(PIECES + 1, event);
    Survival survival = survives("", "");
    assertTrue(survival.retries() >= 2, survival::toString);
  }

  /** Contents are carried over: a piece is done again only if it was being copied meanwhile. */
  @Test
  void anotherDriverGoesOnWithWhatIsThere() throws Exception {
    harness.device.plan.at(2, Event.UPDATE);
    Survival survival = survives("", "");
    assertTrue(survival.failed() <= survival.retries(), survival::toString);
  }

  @Test
  void severalInFlightAreOneRecoveryAndEachIsDoneAgain() throws Exception {
    harness.device.gate = new CountDownLatch(1);
    harness.device.plan.at(1, Event.CRASH);
    CompletableFuture<JobResult> running = begin("", "");
    // The reader is ahead of the device: three pieces are submitted when the gate opens.
    Harness.until(() -> harness.device.submitted.get() >= 3);
    harness.device.gate.countDown();
    Survival survival = right(running.get(30, TimeUnit.SECONDS));
    assertEquals(3, survival.retries());
    assertEquals(3, survival.failed());
    assertEquals(1, survival.recoveries());
    assertEquals(List.of(1L), survival.log().stream().map(r -> r.recovery().number()).toList());
  }

  @Test
  void aLostDeviceIsLookedForUntilItIsBack() throws Exception {
    harness.device.plan.at(3, Event.GONE);
    harness.device.absences.set(0);
    harness.onRecovering = () -> harness.device.absences.compareAndSet(0, 3);
    survives("", "");
    assertTrue(harness.recovering.get() > 0);
  }

  @Test
  void aRestartedCoreGivesNewRights() throws Exception {
    FakeCapabilities before = harness.capabilities;
    harness.device.plan.at(2, Event.RESTART);
    harness.onRecovering =
        () -> {
          if (harness.capabilities == before) {
            harness.capabilities = new FakeCapabilities();
          }
        };
    survives("", "");
    assertEquals(1, before.list().size());
  }

  @Test
  void aCoreThatComesBackLateIsAwaited() throws Exception {
    harness.device.plan.at(2, Event.RESTART);
    Thread core =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  harness.coreIsThere = true;
                });
    harness.onRecovering =
        () -> {
          if (core.getState() == Thread.State.NEW) {
            harness.coreIsThere = false;
            core.start();
          }
        };
    survives("", "");
    core.join();
  }

  @Test
  void aJobThatBeginsInARecoveryWaitsForItsEnd() throws Exception {
    harness.device.recoversAtOnce = false;
    harness.device.crash();
    CompletableFuture<JobResult> running = begin("", "");
    assertTrue(harness.looked.await(20, TimeUnit.SECONDS));
    harness.device.recover();
    right(running.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aDeviceThatDoesNotComeBackIsAClearErrorWithoutOutput() throws Exception {
    harness.device.recoversAtOnce = false;
    harness.device.plan.at(2, Event.CRASH);
    failsClearly("recovery_timeout_ms: 20", "fake0 did not come back within 20 ms");
  }

  @Test
  void aLostDeviceThatDoesNotComeBackToo() throws Exception {
    harness.device.plan.at(2, Event.GONE);
    harness.onRecovering = () -> harness.device.absences.set(Integer.MAX_VALUE);
    failsClearly("recovery_timeout_ms: 20", "(fake0 is not open)");
  }

  @Test
  void aPieceWhoseDriverIsAlwaysKilledUsesItsRetriesUp() throws Exception {
    harness.device.signal = FakeAccelerator.SIGKILL;
    for (int submission = 1; submission <= 20; submission++) {
      harness.device.plan.at(submission, Event.CRASH);
    }
    String error = failsClearly("retries: 3", "was interrupted 4 times (retries: 3)");
    assertTrue(error.contains("EINTR"), error);
    assertEquals(List.of(), harness.pauses);
  }

  @Test
  void otherErrorsAreNotTriedAgain() throws Exception {
    harness.device.failAt = 2;
    harness.device.failStatus = -Errno.EIO;
    failsClearly("", "EIO");
  }

  @Test
  void aJobThatWaitsForItsDeviceCanBeCancelled() throws Exception {
    harness.device.recoversAtOnce = false;
    harness.device.plan.at(2, Event.CRASH);
    CompletableFuture<JobResult> running = begin("", "");
    Harness.until(() -> harness.recovering.get() > 0);
    assertTrue(harness.service.cancel("1"));
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state());
    assertEquals(List.of("in", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void aJobThatLooksForItsLostDeviceCanBeCancelled() throws Exception {
    harness.device.plan.at(2, Event.GONE);
    harness.onRecovering = () -> harness.device.absences.set(Integer.MAX_VALUE);
    CompletableFuture<JobResult> running = begin("", "");
    Harness.until(() -> harness.recovering.get() > 0);
    assertTrue(harness.service.cancel("1"));
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.CANCELLED, result.state(), result.error());
    harness.assertNothingLeft();
  }

  @Test
  void workThatTheCoreReplaysDoesNotFail() throws Exception {
    harness.device.plan.at(2, Event.CRASH);
    Survival survival = survives("", ", replay: true");
    assertEquals(0, survival.failed());
    assertEquals(1, survival.recoveries());
  }

  @Test
  void aStepWithoutBuffersIsTriedAgainToo() throws Exception {
    harness.device.plan.at(2, Event.CRASH).at(5, Event.GONE);
    JobResult result =
        harness.run(
            write("job: j\nsteps: [{program: busy, args: [1], repeat: 5}]"), folder, Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(5, result.blocks());
    assertEquals(2, result.survival().retries());
    harness.assertNothingLeft();
  }

  @Test
  void aFifoIsReadOnlyOnceHoweverOftenItsPiecesAreTried() throws Exception {
    // the program is not to blame, though nothing may get done between two ends
    harness.device.signal = FakeAccelerator.SIGKILL;
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    for (int submission = 1; submission < 8; submission += 2) {
      harness.device.plan.at(submission, Event.CRASH);
    }
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Files.write(fifo, data);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    String text = HASH.formatted("", "").replace("in: in", "in: fifo");
    right(harness.run(write(text), folder, Map.of()));
    writer.join();
  }

  @Test
  void verifyFindsWhatIsWrong() throws Exception {
    harness.device.spoils = true;
    JobResult result = harness.run(write(HASH.formatted("", ", verify: true")), folder, Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertEquals(Math.ceilDiv(data.length, BLOCK), result.survival().wrong());
    assertTrue(result.error().contains("differ from the results of the CPU"), result.error());
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(strings = {"copy", "histogram"})
  void verifyKnowsTheOtherProgramsToo(String program) throws Exception {
    String text = "job: j\nsteps: [{program: " + program + ", in: in, verify: true}]";
    assertEquals(0, right0(text).survival().wrong());
    harness.device.spoils = true;
    JobResult spoilt = harness.run(write(text), folder, Map.of());
    assertTrue(spoilt.survival().wrong() > 0);
    assertEquals(JobState.FAILED, spoilt.state());
  }

  private JobResult right0(String text) throws IOException {
    JobResult result = harness.run(write(text), folder, Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    return result;
  }

  private CompletableFuture<JobResult> begin(String keys, String step) throws IOException {
    return harness.begin(write(HASH.formatted(keys, step)), folder, Map.of());
  }

  private Survival survives(String keys, String step) throws Exception {
    return right(harness.run(write(HASH.formatted(keys, step)), folder, Map.of()));
  }

  private Survival right(JobResult result) throws Exception {
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(data.length, result.bytes());
    assertEquals(BlockhashTest.expected(data, BLOCK), Files.readString(folder.resolve("out")));
    harness.assertNothingLeft();
    return result.survival();
  }

  private String failsClearly(String keys, String message) throws Exception {
    JobResult result = harness.run(write(HASH.formatted(keys, "")), folder, Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains(message), result.error());
    assertTrue(result.error().contains("fake0"), result.error());
    assertFalse(Files.exists(folder.resolve("out")));
    harness.assertNothingLeft();
    return result.error();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("job.yml"), text);
  }
}
