package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that cannot do all they are to do: they say so, and leave nothing behind. */
@Timeout(60)
class JobFailureTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{program: copy, in: in, out: out}",
        "{program: busy, args: [1], repeat: 5}",
      })
  void workThatNobodyOfTheJobCancelled(String step) throws Exception {
    Files.write(folder.resolve("in"), BlockhashTest.random(1000));
    harness.device.failAt = 1;
    harness.device.failStatus = -Errno.ECANCELED;
    JobResult result = run(step);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("fake0: work of the job was cancelled"), result.error());
    assertEquals(List.of("in", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{program: copy, in: in, piece: 256, out: out} | piece 3 of the program copy",
        "{program: busy, args: [1], depth: 2, repeat: 5} | piece 3 of the program busy",
        "{program: busy, args: [1], period: 1ms, for: 10s} | piece 3 of the program busy",
        "{program: busy, args: [1], repeat: 5} | of the program busy",
      })
  void whatTheDriverSaidOfThePieceIsTold(String step, String piece) throws Exception {
    Files.write(folder.resolve("in"), BlockhashTest.random(2000));
    harness.device.failAt = 3;
    harness.device.failStatus = -Errno.EIO;
    harness.device.failLine = "no such op";
    JobResult result = run(step);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(
        result
            .error()
            .endsWith(
                piece
                    + " with an error: ERROR, EINVAL; last line of the driver's log: no such op;"
                    + " see device:info fake0 (EIO)"),
        result.error());
    harness.assertNothingLeft();
  }

  @Test
  void anOutputThatCannotBeNamedAnyMore() throws Exception {
    Files.write(folder.resolve("in"), BlockhashTest.random(1000));
    AtomicInteger pieces = new AtomicInteger();
    harness.onProgress =
        () -> {
          if (pieces.incrementAndGet() == 2) {
            assertTrue(folder.resolve("b").toFile().mkdir());
          }
        };
    JobResult result = run("{program: copy, in: in, out: a}\n  - {program: copy, in: in, out: b}");
    assertEquals(JobState.FAILED, result.state());
    assertEquals(List.of("b", "in", "job.yml"), harness.names(folder));
    assertTrue(result.error().contains("/b is not a regular file any more"), result.error());
  }

  @Test
  void aCoreThatIsReplacedWhileTheDeviceIsLookedForIsNoFailure() throws Exception {
    harness.accelerators =
        new FakeAccelerators(
            List::of,
            query -> {
              harness.accelerators = harness.device;
              throw new AccelException(Errno.ENODEV, "there is no device");
            });
    JobResult result = run("{program: noop}");
    assertEquals(JobState.DONE, result.state(), result.error());
  }

  @Test
  void theDeviceMustHaveTheProgramsOfAllSteps() throws Exception {
    List<DeviceQuery> asked = new ArrayList<>();
    harness.accelerators =
        new FakeAccelerators(
            harness.device::list,
            query -> {
              asked.add(query);
              return harness.device.find(query);
            });
    JobResult result = run("{program: noop}\n  - {program: busy, args: [1]}");
    assertEquals(JobState.DONE, result.state(), result.error());
    DeviceQuery wanted = asked.getFirst();
    assertEquals(Set.of(ProgramKind.BUILTIN), wanted.kinds());
    assertEquals(Set.of("noop", "busy"), wanted.builtins());
    JobResult failed = run("{program: noop}\n  - {program: missing}");
    assertEquals(JobState.FAILED, failed.state());
    assertTrue(failed.error().contains("missing"), failed.error());
  }

  @Test
  void memoryThatCannotBeMappedIsNotLost() throws Exception {
    Harness tight = new Harness(RecoveryTest.MEMORY);
    Files.write(folder.resolve("in"), BlockhashTest.random((int) RecoveryTest.MEMORY));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "job: j\nsteps: [{program: sha256, in: in, args: [64KiB], out: out}]");
    assertEquals(JobState.DONE, tight.run(job, folder, Map.of()).state());
    int pieces = tight.device.submitted.getAndSet(0);
    tight.device.unmappable.set(1);
    assertEquals(JobState.DONE, tight.run(job, folder, Map.of()).state());
    assertEquals(pieces, tight.device.submitted.get(), "as much memory for a piece as before");
    tight.assertNothingLeft();
  }

  /**
   * A device may have more memory than the platform's process may take, where the CPU computes with
   * the input, too.
   */
  @Test
  void anInputThatThePlatformHasNoMemoryForIsAClearError() throws Exception {
    Harness huge = new Harness(1L << 50);
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("in"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertEquals(1, file.write(ByteBuffer.wrap(new byte[1]), (1L << 42) - 1));
    }
    JobResult result =
        huge.failed(
            folder,
            """
            - program: copy
              in: {x: {file: in, type: u8, shape: [n]}}
              out: {y: {type: u8, shape: [n], expect: {value: x}}}
            """,
            "the platform's direct memory is too small for the job");
    assertEquals(1, result.exitStatus());
  }

  @Test
  void aProgramWithoutBuffersTakesNoFiles() throws Exception {
    Files.write(folder.resolve("in"), new byte[1]);
    for (String step : List.of("{program: noop, in: in}", "{program: noop, out: out}")) {
      JobResult result = run(step);
      assertEquals(2, result.exitStatus());
      assertTrue(result.error().contains("noop takes neither 'in' nor 'out'"), result.error());
    }
  }

  @Test
  void twoNamesOfOneOutputAreSeenBefore() throws Exception {
    Files.write(folder.resolve("in"), new byte[1]);
    Files.createSymbolicLink(folder.resolve("here"), folder.toAbsolutePath());
    JobException e =
        assertThrows(
            JobException.class,
            () -> run("{program: copy, in: in, out: x}\n  - {program: copy, in: in, out: here/x}"));
    assertEquals(2, e.exitStatus());
    assertTrue(e.getMessage().contains("another step also writes "), e.getMessage());
  }

  private JobResult run(String step) throws IOException {
    Path job = Files.writeString(folder.resolve("job.yml"), "job: j\nsteps:\n  - " + step);
    return harness.run(job, folder, Map.of());
  }
}
