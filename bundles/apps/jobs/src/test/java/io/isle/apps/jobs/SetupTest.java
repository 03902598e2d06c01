package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.setup.UndoLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices and settings that exist only for a job. */
class SetupTest {
  private static final String JOB =
      """
      job: setup
      setup:
        devices:
          soft7: {tier: 2, memory_bytes: 16m, fault_injection: true}
        settings:
          io.isle.accel: {depth: 8, fresh: 1}
          io.isle.new: {a: b}
      steps:
        - program: noop
      """;

  @TempDir Path folder;

  private final FakeCore killed = new FakeCore();
  private final Harness harness = new Harness(1 << 20);

  @Test
  void isMadeForTheJobAndUndone() throws Exception {
    harness.core.set("io.isle.accel", Map.of("depth", "4", "other", "x"));
    Map<String, Map<String, String>> before = Map.copyOf(harness.core.files);
    AtomicReference<Set<String>> during = new AtomicReference<>();
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    harness.device.gate = new java.util.concurrent.CountDownLatch(1);
    Thread watcher =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    harness.device.reached.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  during.set(Set.copyOf(harness.core.files.keySet()));
                  kill();
                  harness.device.gate.countDown();
                });
    JobResult result = harness.asAdmin(job, Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(Set.of("io.isle.accel", "io.isle.new", "io.isle.device-soft7"), during.get());
    assertEquals(before, harness.core.files);
    assertEquals(before, killed.files);
    assertEquals(List.of("history.jsonl"), harness.names(harness.data));
    watcher.join();
  }

  /** What a platform that starts after this one was killed now makes of the settings. */
  private void kill() {
    harness.core.files.forEach((pid, values) -> killed.files.put(pid, new LinkedHashMap<>(values)));
    try {
      Path copy = Files.createDirectory(folder.resolve("copy"));
      for (String name : harness.names(harness.data)) {
        Files.copy(harness.data.resolve(name), copy.resolve(name));
      }
      UndoLog.recover(copy, killed);
      assertEquals(List.of("history.jsonl"), harness.names(copy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatCouldNotBePutBackIsTriedAtTheNextStart() throws Exception {
    Path log = folder.resolve("setup-1.undo");
    Files.writeString(
        log,
        """
        - {pid: io.isle.a, existed: true, before: {depth: '1'}}
        - {pid: io.isle.b, existed: true, before: {depth: '2'}}
        - {pid: io.isle.c, existed: maybe, before: {}}
        - {pid: io.isle.d, existed: true, before: {depth: '4'}}
        """);
    killed.unwritable = "io.isle.b";
    UndoLog.recover(folder, killed);
    assertEquals(Set.of("io.isle.a", "io.isle.d"), killed.files.keySet());
    killed.files.clear();
    killed.unwritable = null;
    UndoLog.recover(folder, killed);
    assertEquals(Map.of("io.isle.b", Map.of("depth", "2")), killed.files);
    assertFalse(Files.exists(log));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "a: b"})
  void aFileThatIsNoLogIsKeptUnderANameOfItsOwn(String text) throws Exception {
    for (int i = 1; i <= 2; i++) {
      Files.writeString(folder.resolve("setup-1.undo"), text + i);
      UndoLog.recover(folder, killed);
    }
    assertEquals(
        List.of("setup-1.undo.unreadable-1", "setup-1.undo.unreadable-2"), harness.names(folder));
    assertEquals(text + 2, Files.readString(folder.resolve("setup-1.undo.unreadable-2")));
  }

  @Test
  void anInterruptCutsNoUndoShort() throws Exception {
    harness.core.onDelete =
        () -> {
          harness.core.onDelete = () -> {};
          // The services are looked for once more, by a thread that is interrupted.
          harness.coreIsThere = false;
          harness.onAbsent = () -> harness.coreIsThere = true;
          Thread.currentThread().interrupt();
        };
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    JobResult result = harness.asAdmin(job, Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertTrue(Thread.interrupted(), "the caller's interrupt is handed on");
    assertEquals(Map.of(), harness.core.files);
    assertEquals(List.of("history.jsonl"), harness.names(harness.data));
  }

  @Test
  void onlyAnAdminMay() throws IOException {
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    JobException e =
        assertThrows(
            JobException.class,
            () ->
                harness.service.run(
                    new JobRequest(job, folder, Map.of(), "viewer", false), JobObserver.NONE));
    assertTrue(e.getMessage().contains("admin"), e.getMessage());
    assertTrue(harness.core.files.isEmpty());
  }

  @Test
  void aDeviceThatIsThereIsNeverTouched() throws IOException {
    harness.core.set("io.isle.device-soft7", Map.of("driver", "soft"));
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    JobResult result = harness.asAdmin(job, Map.of());
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains("soft7 exists already"), result.error());
    assertEquals(Set.of("io.isle.device-soft7"), harness.core.files.keySet());
  }

  @Test
  void aDeviceThatDoesNotComeUpIsUndone() throws IOException {
    Path job =
        Files.writeString(folder.resolve("job.yml"), JOB.replace("soft7", FakeCore.BROKEN + "1"));
    JobResult result = harness.asAdmin(job, Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("gone"), result.error());
    assertTrue(harness.core.files.isEmpty());
  }
}
