package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that a job brings about on a device of its own. */
@Timeout(60)
class FaultsTest {
  private static final int MIB = 1 << 20;
  private static final String JOB =
      """
      job: faults
      retries: 100
      setup:
        devices:
          soft7: {fault_injection: true}
      steps:
        - program: sha256
          in: in
          args: [1MiB]
          repeat: faults
          verify: true
          out: {file: out, format: lines}
      faults: [%s]
      claims:
        - {name: all, value: faults, goal: == %d}
        - {name: right, value: wrong, goal: == 0}
        - {name: recovered, value: recoveries, goal: == segv + abort + exit + kill + hang}
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);
  private final byte[] data = BlockhashTest.random(2 * MIB + 5);

  @BeforeEach
  void device() throws IOException {
    Files.write(folder.resolve("in"), data);
    harness.device.logged = "soft7";
    harness.core.onFault = fault -> harness.device.crash();
  }

  @Test
  void happenInTheirOrderEachAsOftenAsItSays() throws Exception {
    JobResult result =
        run(
            "{device: soft7, fault: segv, after: 1, count: 2},"
                + "{device: soft7, fault: abort, after_bytes: 3MiB},"
                + "{device: soft7, fault: exit, after_ms: 2, value: 9}",
            4);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(
        List.of("soft7 segv 0 1 0", "soft7 segv 0 1 0", "soft7 abort 0 1 0", "soft7 exit 0 1 9"),
        harness.core.faults);
    assertEquals(
        List.of(
            Optional.of("segv"), Optional.of("segv"), Optional.of("abort"), Optional.of("exit")),
        result.survival().log().stream().map(r -> r.fault()).toList());
    assertEquals(4, result.survival().recoveries());
    assertEquals(BlockhashTest.expected(data), Files.readString(folder.resolve("out")));
    harness.assertNothingLeft();
  }

  @Test
  void killAndHangComeFromOutside() throws Exception {
    harness.hosts.onFault = fault -> harness.device.crash();
    JobResult result =
        run("{device: soft7, fault: kill, after: 2}, {device: soft7, fault: hang}", 2);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(
        List.of(Optional.of("kill"), Optional.of("hang")),
        result.survival().log().stream().map(r -> r.fault()).toList());
    assertEquals(List.of(HostFault.KILL, HostFault.STOP), harness.hosts.faults);
    assertEquals(List.of(), harness.core.faults);
  }

  @Test
  void theExampleCrashesTenTimesAndItsOutputsAreRight() throws Exception {
    Path example = Path.of("../../../examples/crash/job.yml").toAbsolutePath();
    Files.write(folder.resolve("b"), BlockhashTest.random(5));
    harness.device.name = "soft90";
    harness.device.logged = "soft90";
    harness.hosts.onFault = fault -> harness.device.crash();
    Map<String, String> parameters =
        Map.of("a", "in", "b", "b", "out-a", "hashes-a", "out-b", "hashes-b");
    JobResult result =
        harness.service.run(
            new JobRequest(example, folder.toAbsolutePath(), parameters, "admin", true), harness);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(10, result.survival().log().size());
    assertEquals(0, result.survival().wrong());
    assertTrue(result.claims().stream().allMatch(JobResult.Claim::holds));
    assertEquals(BlockhashTest.expected(data), Files.readString(folder.resolve("hashes-a")));
    assertEquals(
        BlockhashTest.expected(BlockhashTest.random(5)),
        Files.readString(folder.resolve("hashes-b")));
    harness.assertNothingLeft();
  }

  @Test
  void aStuckPieceIsTheDriversOwnHang() throws Exception {
    harness.core.onFault = fault -> {};
    assertEquals(JobState.DONE, run("{device: soft7, fault: stuck}", 1).state());
    assertEquals(List.of("soft7 hang 0 1 0"), harness.core.faults);
  }

  @Test
  void aDriverWithoutAProcessCannotBeKilled() throws Exception {
    JobResult result = run("{device: soft7, fault: kill}", 1);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("faults[0]: soft7 has no process"), result.error());
  }

  @Test
  void aDeviceThatRecoversTakesItsFaultLater() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    harness.core.onFault =
        fault -> {
          if (refusals.getAndDecrement() > 0) {
            throw new AccelException(Errno.ENODEV, "soft7 is not open");
          }
          harness.device.crash();
        };
    assertEquals(JobState.DONE, run("{device: soft7, fault: exit}", 1).state());
  }

  @Test
  void aFaultWhoseCrashCutsItsAnswerOffHappensOnce() throws Exception {
    harness.core.onFault =
        fault -> {
          harness.device.crash();
          throw new AccelException(Errno.EINTR, "soft7 recovers");
        };
    JobResult result = run("{device: soft7, fault: segv}", 1);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(1, harness.core.faults.size());
  }

  /** A recovery that ends while the fault is refused is no proof that it was taken. */
  @ParameterizedTest
  @CsvSource({"segv,RESET", "segv,RELOAD", "segv,CRASH", "latency,CRASH"})
  void aFaultThatAnotherRecoveryKeptOffIsTriedAgain(String fault, RecoveryCause.Kind other)
      throws Exception {
    AtomicLong begun = new AtomicLong();
    AtomicInteger refusals = new AtomicInteger(1);
    harness.core.onFault =
        injected -> {
          if (injected.equals("throttle")) {
            begun.set(System.currentTimeMillis());
            while (System.currentTimeMillis() == begun.get()) {
              Thread.onSpinWait();
            }
          } else if (refusals.getAndDecrement() > 0) {
            boolean asked = other == RecoveryCause.Kind.RESET || other.orderly();
            harness.device.enter(other, asked ? System.currentTimeMillis() : begun.get());
            throw new AccelException(Errno.ENODEV, "soft7 is not open");
          } else if (injected.equals("segv")) {
            harness.device.crash();
          }
        };
    JobResult result =
        run("{device: soft7, fault: throttle}, {device: soft7, fault: " + fault + "}", 2);
    assertEquals(3, harness.core.faults.size());
    assertEquals(
        fault.equals("segv") ? List.of(2L) : List.of(),
        result.survival().log().stream()
            .filter(recovery -> recovery.fault().isPresent())
            .map(recovery -> recovery.recovery().number())
            .toList());
    harness.assertNothingLeft();
  }

  @Test
  void aScheduleThatBreaksFailsTheJob() throws Exception {
    harness.core.onFault =
        fault -> {
          throw new IllegalStateException("broken");
        };
    JobResult result = run("{device: soft7, fault: segv}", 0);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("faults[0]: "), result.error());
    assertTrue(result.error().contains("broken"), result.error());
  }

  @Test
  void aFaultThatTheDeviceRefusesFailsTheJob() throws Exception {
    harness.core.onFault =
        fault -> {
          throw new AccelException(Errno.ENOTSUP, "soft7 takes no faults");
        };
    JobResult result = run("{device: soft7, fault: exit}", 1);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("faults[0]: soft7 takes no faults"), result.error());
    assertTrue(result.error().contains("claim does not hold: all"), result.error());
  }

  @Test
  void faultsThatEndNothingAreGivenToTheDriverAtOnce() throws Exception {
    harness.core.onFault = fault -> {};
    JobResult result = run("{device: soft7, fault: latency, count: 9, value: 1000}", 1);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(List.of("soft7 latency 0 9 1000"), harness.core.faults);
  }

  @Test
  void aJobThatEndsFirstEndsItsSchedule() throws Exception {
    JobResult result =
        harness.asAdmin(
            write(
                "{job: j, setup: {devices: {soft7: {}}}, steps: [{program: noop}],"
                    + " faults: [{device: soft7, fault: segv, after: 1000000}]}"),
            Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(List.of(), harness.core.faults);
    harness.assertNothingLeft();
  }

  @Test
  void onlyAnAdminMay() throws Exception {
    JobRequest request =
        new JobRequest(
            write(JOB.formatted("", 0)), folder.toAbsolutePath(), Map.of(), "viewer", false);
    JobException e =
        assertThrows(JobException.class, () -> harness.service.run(request, JobObserver.NONE));
    assertTrue(e.getMessage().contains("admin"), e.getMessage());
  }

  private JobResult run(String faults, int count) throws IOException {
    return harness.asAdmin(write(JOB.formatted(faults, count)), Map.of());
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("job.yml"), text);
  }
}
