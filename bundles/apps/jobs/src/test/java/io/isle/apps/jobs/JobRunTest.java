package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

/** What happens on the way: cancel, loss of the device, files that change. */
@Timeout(60)
class JobRunTest {
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
  void anInputThatGrowsIsAnError() throws Exception {
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running = harness.begin(hash, folder, IN_OUT);
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    Files.write(folder.resolve("in"), new byte[] {1}, java.nio.file.StandardOpenOption.APPEND);
    harness.device.gate.countDown();
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("changed while it was read"), result.error());
    assertEquals(List.of("in"), harness.names(folder));
  }

  @Test
  void aFullDiskIsAClearError() throws Exception {
    Path full = Path.of("/dev/full");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isWritable(full));
    JobResult result = harness.run(hash, folder, Map.of("input", "in", "output", "/dev/full"));
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains("No space left on device"), result.error());
    harness.assertNothingLeft();
  }

  @Test
  void aDeviceFileIsWrittenDirectly() throws Exception {
    JobResult result = harness.run(hash, folder, Map.of("input", "in", "output", "/dev/null"));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertFalse(Files.isRegularFile(Path.of("/dev/null")));
  }

  @Test
  void copyGivesTheInputBack() throws Exception {
    run("{program: copy, in: in, out: out}");
    assertArrayEquals(DATA, Files.readAllBytes(folder.resolve("out")));
  }

  @Test
  void histogramAddsUpThePieces() throws Exception {
    run("{program: histogram, in: in, out: out}");
    ByteBuffer counts =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out"))).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(256 * 8, counts.capacity());
    long[] expected = new long[256];
    for (byte b : DATA) {
      expected[b & 0xff]++;
    }
    for (int i = 0; i < 256; i++) {
      assertEquals(expected[i], counts.getLong(8 * i));
    }
  }

  @Test
  void aStepWithoutInputRunsAsOftenAsItSays() throws Exception {
    JobResult result = run("{program: busy, args: [1], repeat: 5}");
    assertEquals(5, result.blocks());
    assertEquals(5, harness.device.submissions.get());
  }

  @Test
  void workWaitsInTheQueueHoweverQuickTheDeviceIs() throws Exception {
    harness.device.quick = true;
    JobResult result = run("{program: busy, args: [1], repeat: 5}");
    assertTrue(result.steps().getFirst().queueNs() > 0, result.steps()::toString);
  }

  @Test
  void aBrokenClaimFailsTheJob() throws Exception {
    JobResult result =
        harness.run(
            write(
                "job: j\nsteps: [{program: noop}]\n"
                    + "claims: [{name: many, value: blocks + 1, goal: '>= 2 * 3'}]"),
            folder,
            Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertEquals(1, result.exitStatus());
    assertEquals(List.of(new JobResult.Claim("many", 2, ">= 6", false)), result.claims());
    JobResult copied =
        harness.run(
            write(
                "job: j\nsteps: [{program: copy, in: in, out: out}]\n"
                    + "claims: [{name: less, value: bytes, goal: '< 1'}]"),
            folder,
            Map.of());
    assertEquals(JobState.FAILED, copied.state());
    assertArrayEquals(DATA, Files.readAllBytes(folder.resolve("out")), "it can be looked at");
  }

  @Test
  void errorsOfEstimatesAreUnknownWithoutSubmissions() throws Exception {
    JobResult result =
        harness.run(
            write(
                "job: j\nsteps: [{program: noop}]\nclaims:\n"
                    + "  - {name: model, value: estimate.model_error, goal: '<= 9'}\n"
                    + "  - {name: average, value: estimate.average_error, goal: '>= 0'}"),
            folder,
            Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.claims().stream().noneMatch(JobResult.Claim::holds));
    assertTrue(result.claims().stream().allMatch(claim -> Double.isNaN(claim.value())));
  }

  @Test
  void wrongArgumentsNameTheirPlace() throws Exception {
    JobResult result =
        harness.run(write("job: j\nsteps:\n  - program: busy\n    args: [soon]"), folder, Map.of());
    assertEquals(2, result.exitStatus());
    assertTrue(result.error().contains("job.yml:4:12: steps[0].args[0]"), result.error());
  }

  @Test
  void streamsRunSideBySideAndPrintWholeLines() throws Exception {
    Files.write(folder.resolve("b"), DATA);
    String step =
        "steps: [{program: sha256, args: [1MiB], in: %s, out: {format: lines, print: true}}]";
    JobResult result =
        harness.run(
            write(
                "job: j\nstreams:\n  - {name: a, "
                    + step.formatted("in")
                    + "}\n  - {name: b, priority: high, "
                    + step.formatted("b")
                    + "}"),
            folder,
            Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(
        BlockhashTest.expected(DATA).repeat(2).lines().sorted().toList(),
        harness.printed().lines().sorted().toList());
    harness.assertNothingLeft();
  }

  @Test
  void theFailureOfAStreamEndsTheOthers() throws Exception {
    harness.device.failAt = 4;
    harness.device.failStatus = -Errno.EIO;
    JobResult result =
        harness.run(
            write(
                "job: j\nstreams:\n"
                    + "  - {steps: [{program: copy, in: in, out: a}]}\n"
                    + "  - {steps: [{program: busy, args: [1], repeat: 1000000}]}"),
            folder,
            Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("EIO"), result.error());
    assertEquals(List.of("in", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void aDeviceThatIsNotOpenIsAnErrorThatSaysWhy() throws Exception {
    harness.core.set("io.isle.device-soft9", Map.of("driver", FakeCore.BROKEN));
    JobResult result =
        harness.run(write("job: j\ndevice: soft9\nsteps: [{program: noop}]"), folder, Map.of());
    assertEquals(1, result.exitStatus());
    assertEquals(0, result.tier());
    assertTrue(result.error().contains("soft9 is failed (gone)"), result.error());
    assertTrue(result.error().contains("driver:reload soft9"), result.error());
  }

  private JobResult run(String step) throws IOException {
    JobResult result = harness.run(write("job: j\nsteps:\n  - " + step), folder, Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    harness.assertNothingLeft();
    return result;
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("job.yml"), text);
  }
}
