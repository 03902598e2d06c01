package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.tenancy.GroupSpec;
import io.isle.lib.svg.testing.PictureLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** Steps that run for a time, in periods, with a deep queue, and together with others. */
class PacedStepsTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(8 << 20);

  @Test
  void aFileGoesThroughAgainAndAgain() throws Exception {
    Files.writeString(folder.resolve("in"), "0123456789".repeat(100));
    JobResult result =
        harness.done(
            folder,
            """
            - {program: sha256, in: in, args: [64], piece: 4KiB, depth: 4, for: 200ms, verify: true}
            """);
    assertTrue(result.bytes() >= 10 * 4096, "bytes " + result.bytes());
    assertEquals(0, result.bytes() % 4096);
    assertTrue(result.elapsedNs() >= 200_000_000, "time " + result.elapsedNs());
    assertEquals(0, result.survival().wrong());
  }

  @Test
  void piecesHaveTheirSizesByTurns() throws Exception {
    Files.write(folder.resolve("in"), new byte[10_000]);
    JobResult result =
        harness.done(folder, "- {program: copy, in: in, piece: [1000, 3000], out: out}");
    assertEquals(6, result.steps().getFirst().pieces());
    assertEquals(10_000, Files.size(folder.resolve("out")));
  }

  @Test
  void anEmptyFileIsRefused() throws IOException {
    Files.createFile(folder.resolve("in"));
    harness.failed(folder, "- {program: copy, in: in, for: 1s}", "is empty or cannot be mapped");
  }

  @Test
  void aQueueIsKeptFullOverACrash() throws Exception {
    harness.device.plan.at(20, FakePlan.Event.CRASH);
    JobResult result = harness.done(folder, "- {program: busy, args: [1], depth: 16, repeat: 100}");
    assertEquals(100, result.blocks());
    assertTrue(result.survival().retries() >= 1, result::toString);
  }

  @Test
  void aQueueThatIsInterruptedTooOftenFails() throws IOException {
    for (int i = 1; i < 200; i++) {
      harness.device.plan.at(i, FakePlan.Event.CRASH);
    }
    harness.failed(folder, "- {program: noop, depth: 4, repeat: 100}", "3 tries in a row");
  }

  @Test
  void submissionsKeepToTheirPeriod() throws Exception {
    JobResult result = harness.done(folder, "- {program: noop, period: 10ms, for: 200ms}");
    Measured.PeriodicTimes times = result.measured().periodic().getFirst();
    assertEquals(20, times.submissions());
    assertTrue(times.p50Ns() <= times.p99Ns() && times.p99Ns() <= times.maxNs(), times::toString);
    assertTrue(times.maxNs() > 0, times::toString);
    assertEquals("main", times.stream());
    assertEquals(10_000_000, times.periodNs());
  }

  @Test
  void aSubmissionThatARecoveryTakesIsAMiss() throws Exception {
    harness.device.plan.at(3, FakePlan.Event.RESTART);
    JobResult result = harness.done(folder, "- {program: noop, period: 10ms, for: 100ms}");
    Measured.PeriodicTimes times = result.measured().periodic().getFirst();
    assertEquals(10, times.submissions());
    assertTrue(times.misses() >= 1, times::toString);
  }

  @Test
  void stepsOfABarrierBeginTogetherAndAreMeasured() throws Exception {
    Files.write(folder.resolve("in"), new byte[4096]);
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: together
            streams:
              - name: late
                group: a
                steps:
                  - {program: noop, repeat: 50}
                  - {program: copy, in: in, piece: 1KiB, for: 150ms, barrier: go}
              - name: early
                group: b-1
                steps:
                  - {program: busy, args: [1], depth: 4, for: 150ms, hold: 4MiB, barrier: go}
            timeline: when.svg
            claims:
              - {name: bytes, value: group.a.bytes, goal: "> 0"}
              - {name: held, value: group.b_1.held_bytes, goal: == 4MiB}
              - {name: window, value: group.a.window_ns, goal: "> 0"}
              - {name: idle, value: group.a.idle_ns, goal: "< group.a.window_ns"}
            """);
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    harness.assertNothingLeft();
    List<Measured.GroupShare> groups = result.measured().groups();
    assertEquals(List.of("a", "b-1"), groups.stream().map(Measured.GroupShare::name).toList());
    assertTrue(Double.isNaN(groups.getFirst().promised()));
    assertTrue(Double.isNaN(groups.getFirst().measured()), "this device counts nothing");
    assertEquals(-1, groups.getFirst().cpuNs());
    long late = start(result, "late");
    assertTrue(late > 0);
    Path picture = folder.resolve("when.svg");
    Document svg =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile());
    assertTrue(svg.getDocumentElement().getTextContent().contains("b-1"));
    assertEquals(2, svg.getElementsByTagName("g").getLength());
    assertTrue(svg.getElementsByTagName("rect").getLength() < 10_000);
    assertTrue(result.outputs().stream().anyMatch(out -> out.path().endsWith("when.svg")));
    assertEquals(List.of(), PictureLayout.faults(picture));
  }

  @Test
  void thePictureHasRoomForItsLabels() throws Exception {
    StringBuilder streams = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      streams.append(
          """
            - name: s%1$d
              group: %2$s
              steps: [{program: noop, for: 20ms, barrier: go}]
          """
              .formatted(i, "m".repeat(30) + (char) ('a' + i)));
    }
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            "job: " + "w".repeat(64) + "\nstreams:\n" + streams + "timeline: when.svg\n");
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(List.of(), PictureLayout.faults(folder.resolve("when.svg")));
  }

  private static long start(JobResult result, String stream) {
    return result.steps().stream()
        .filter(step -> step.stream().equals(stream) && step.step().equals("step1"))
        .findFirst()
        .orElseThrow()
        .startNs();
  }

  /** The driver of the software accelerator counts what its workers spent on each context. */
  @Test
  void sharesAreThoseOfTheWorkersTime() throws Exception {
    harness.device.name = "soft9";
    harness.groups.create(
        GroupSpec.of("a", Map.of("compute.guarantee", "soft8 1 2, soft9 750000")));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: shares
            streams:
              - {group: a, steps: [{program: noop, for: 200ms, depth: 4, barrier: go}]}
              - {group: b, steps: [{program: noop, for: 200ms, depth: 4, barrier: go}]}
              - {group: b, steps: [{program: noop, for: 200ms, depth: 4, barrier: go}]}
            claims:
              - {name: all, value: group.a.measured + group.b.measured, goal: == 100}
              - {name: a, value: 100 * group.a.cpu_ns / (group.a.cpu_ns + group.b.cpu_ns), goal: == group.a.measured}
              - {name: promised, value: group.a.promised, goal: == 75}
            """);
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    assertTrue(result.measured().groups().getFirst().cpuNs() > 0, result::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5_000, 1_048_577})
  void memoryIsHeldToTheByte(int bytes) throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: hold
            steps:
              - {program: noop, hold: %1$d, barrier: go}
            claims:
              - {name: all of it, value: group.default.held_bytes, goal: == %1$d}
            """
                .formatted(bytes));
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
  }

  /** A share of two devices is no share of one. */
  @Test
  void whoIsPromisedPartsOfTwoDevicesIsPromisedNoShare() throws Exception {
    FakeAccelerator second = new FakeAccelerator(8 << 20);
    second.name = "soft8";
    harness.device.name = "soft9";
    harness.accelerators = DevicesTest.both(harness.device, second);
    harness.groups.create(
        GroupSpec.of("a", Map.of("compute.guarantee", "soft8 250000, soft9 750000")));
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: devices
            device: soft9
            streams:
              - group: a
                steps:
                  - {program: noop, barrier: first}
                  - {program: noop, device: soft8, barrier: second}
            """);
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    Measured.GroupShare share = result.measured().groups().getFirst();
    assertTrue(Double.isNaN(share.promised()), share::toString);
    assertTrue(share.cpuNs() >= 0, share::toString);
  }

  @Test
  void whatIsNotMeasuredHoldsNowhere() throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: unknown
            steps:
              - {program: noop, barrier: go}
            claims:
              - {name: share, value: abs(group.default.measured - 50), goal: <= 100}
            """);
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals("claim does not hold: share", result.error());
    assertTrue(Double.isNaN(result.claims().getFirst().value()));
  }

  @Test
  void aStepThatFailsBeforeTheBarrierEndsTheOthers() throws Exception {
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            """
            job: never
            streams:
              - {name: a, steps: [{program: noop, barrier: go}]}
              - {name: b, steps: [{program: copy, barrier: go}]}
            """);
    JobResult result = harness.run(job, folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.FAILED, result.state());
    harness.assertNothingLeft();
  }
}
