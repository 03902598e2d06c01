package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobState;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobCommandsTest {
  private final Shell shell = new Shell();
  private final FakeJobs jobs = shell.jobs;
  private final ByteArrayOutputStream out = shell.out;

  @Test
  void runPrintsTheLinesThenTheSummary() {
    shell.execute(new RunCommand().of("job.yml", List.of("input=a=b", "print=true")), false);
    assertEquals(Map.of("input", "a=b", "print", "true"), jobs.request.parameters());
    assertEquals(
        List.of(
            "abcd  0",
            "# job      hash",
            "# bytes    2000000000",
            "# blocks   2",
            "# seconds  2.000",
            "# GB/s     1.000",
            "# device   soft0",
            "# tier     2",
            "# recoveries 1",
            "# retries  3",
            "# replayed 5",
            "# failed   4",
            "# wrong    0",
            "# device  kind  epoch   total  drain   freeze  fail  revoke  reset  open  rebuild "
                + " thaw",
            "# soft0   segv      2  1.5 ms  -      12.0 us  -     -       -      -     -        -",
            "# stream  step  device  priority    time    build    queue  transfer   compute  pieces "
                + " bytes",
            "# main    hash  soft0   normal    1.0 ms  20.0 us  10.0 us  200.0 us  700.0 us       3 "
                + "   5 B",
            "# put back 48 bytes of inputs that kernels may have changed",
            "# group  promised  measured  bytes  cpu     idle  held      of",
            "# quiet  70.00 %   69.98 %     5 B  700 ns  1 ns   0 B  1.0 us",
            "# flood  -         -           5 B  -       1 ns   0 B  1.0 us",
            "# stream  step  priority  period  submissions  misses    p50     p99     max",
            "# rt      tick  realtime  5.0 us            9       1  20 ns  3.0 us  4.0 us",
            "# output   /tmp/o (70 bytes)",
            "# claim    all: 2 == 2, holds"),
        out.toString(UTF_8).lines().toList());
  }

  @Test
  void runAsJsonIsOneDocumentWithTheAgreedFields() throws IOException {
    shell.execute(new RunCommand().of("job.yml", null), true);
    assertEquals(
        List.of(
            "job",
            "state",
            "device",
            "tier",
            "elapsed_ns",
            "bytes",
            "retries",
            "recoveries",
            "failed",
            "replayed",
            "retried",
            "wrong",
            "recovery_log",
            "kind",
            "device",
            "number",
            "started",
            "cause",
            "outcome",
            "total_ns",
            "attempts",
            "standby",
            "from_epoch",
            "to_epoch",
            "contexts",
            "interrupted",
            "kept",
            "replayed",
            "restored",
            "lost",
            "drain_ns",
            "freeze_ns",
            "fail_ns",
            "revoke_ns",
            "reset_ns",
            "open_ns",
            "rebuild_ns",
            "thaw_ns",
            "group",
            "text",
            "steps",
            "stream",
            "step",
            "device",
            "priority",
            "start_ns",
            "elapsed_ns",
            "build_ns",
            "queue_ns",
            "transfer_ns",
            "compute_ns",
            "pieces",
            "bytes",
            "put_back_bytes",
            "groups",
            "name",
            "promised",
            "measured",
            "bytes",
            "cpu_ns",
            "idle_ns",
            "held_bytes",
            "window_ns",
            "name",
            "promised",
            "measured",
            "bytes",
            "cpu_ns",
            "idle_ns",
            "held_bytes",
            "window_ns",
            "periodic",
            "stream",
            "step",
            "priority",
            "period_ns",
            "submissions",
            "misses",
            "p50_ns",
            "p99_ns",
            "max_ns",
            "outputs",
            "step",
            "path",
            "bytes",
            "claims",
            "name",
            "value",
            "goal",
            "holds",
            "error"),
        shell.fields());
  }

  @Test
  void aFailedJobThrowsItsExitStatusAfterItsDocument() throws IOException {
    jobs.result = FakeJobs.result(JobState.FAILED, "soft0: lost", 1);
    JobException e =
        assertThrows(
            JobException.class, () -> shell.execute(new RunCommand().of("job.yml", null), true));
    assertEquals(1, e.exitStatus());
    assertEquals("soft0: lost", e.getMessage());
    assertTrue(shell.fields().contains("error"));
    jobs.result = FakeJobs.result(JobState.CANCELLED, "stopped", 130);
    assertEquals(
        130,
        assertThrows(
                JobException.class,
                () -> shell.execute(new RunCommand().of("job.yml", null), false))
            .exitStatus());
  }

  @Test
  void aRefusedJobGivesADocumentToo() throws IOException {
    jobs.refusal = JobException.usage(3, "job.yml:3:1: wrong");
    JobException e =
        assertThrows(
            JobException.class, () -> shell.execute(new RunCommand().of("job.yml", null), true));
    assertEquals(2, e.exitStatus());
    assertTrue(shell.fields().contains("error"));
    assertTrue(out.toString(UTF_8).contains("job.yml:3:1: wrong"));
  }

  @Test
  void settingsAreKeyAndValueAndNoneTwice() {
    for (List<String> wrong : List.of(List.of("a"), List.of("=a"), List.of("a=1", "a=2"))) {
      JobException e = assertThrows(JobException.class, () -> RunCommand.values(wrong));
      assertEquals(2, e.exitStatus());
    }
  }

  @Test
  void listShowsRowsOrSaysWhatToType() throws IOException {
    shell.execute(new ListCommand(), false);
    assertTrue(out.toString(UTF_8).contains("job:run FILE"));
    jobs.history.add(FakeJobs.info("7"));
    out.reset();
    shell.execute(new ListCommand(), false);
    assertTrue(out.toString(UTF_8).contains("1.9 GiB"), out.toString(UTF_8));
    out.reset();
    shell.execute(new ListCommand(), true);
    assertEquals(
        List.of(
            "id",
            "job",
            "state",
            "device",
            "tier",
            "bytes",
            "elapsed_ns",
            "started",
            "user",
            "file",
            "error"),
        shell.fields());
  }

  @Test
  void showAndCancelKnowTheirIds() throws IOException {
    jobs.history.add(FakeJobs.info("7"));
    shell.execute(new ShowCommand().of("7"), false);
    assertTrue(out.toString(UTF_8).contains("claim    all: 2 == 2, holds"));
    out.reset();
    shell.execute(new ShowCommand().of("7"), true);
    assertEquals("id", shell.fields().getFirst());
    assertThrows(ShellException.class, () -> shell.execute(new ShowCommand().of("8"), false));
    assertThrows(JobException.class, () -> shell.execute(new CancelCommand().of("8"), false));
    assertThrows(ShellException.class, () -> shell.execute(new CancelCommand().of("7"), false));
    jobs.cancellable = true;
    out.reset();
    shell.execute(new CancelCommand().of("7"), true);
    assertEquals(List.of("id", "cancelled"), shell.fields());
  }

  @Test
  void aJobThatWaitsForItsDeviceSaysSo() {
    RunDisplay display = new RunDisplay(new Output(stream(), true, 0), stream(), true);
    display.recovering("soft0");
    assertEquals("\r\033[Krecovering: waiting for soft0", out.toString(UTF_8));
    display.end();
    assertTrue(out.toString(UTF_8).endsWith("soft0\r\033[K"));
    out.reset();
    new RunDisplay(new Output(stream(), true, 0), stream(), false).recovering("soft0");
    assertEquals("", out.toString(UTF_8));
  }

  private PrintStream stream() {
    return new PrintStream(out, true, UTF_8);
  }

  @Test
  void theBarShowsShareAndRate() {
    assertEquals(
        "[###############...............]  50 %  1000.0 MB  2.00 GB/s",
        RunDisplay.bar(1_000_000_000, 2_000_000_000, 500_000_000));
    assertEquals("1.0 MB  1.00 GB/s", RunDisplay.bar(1_000_000, -1, 1_000_000));
    assertEquals(
        "[##########....................]  33 %  heat: turn 20 of 60",
        RunDisplay.turns("heat", 20, 60));
  }
}
