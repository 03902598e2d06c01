package io.isle.faces.shell.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRecovery;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Jobs that ran, and one that runs as a test says. */
final class FakeJobs implements Jobs {
  private static final Survival SURVIVED =
      new Survival(
          3,
          1,
          4,
          5,
          0,
          List.of(
              new JobRecovery(
                  Optional.of("segv"),
                  new Recovery(
                      "soft0",
                      1,
                      new RecoveryCause(RecoveryCause.Kind.CRASH, "signal 11"),
                      0,
                      1,
                      2,
                      1,
                      true,
                      Recovery.Outcome.RECOVERED,
                      List.of(new Recovery.PhaseTime(Recovery.Phase.FREEZE, 12_000)),
                      1_500_000,
                      Recovery.Work.NONE))));

  private static final Measured MEASURED =
      new Measured(
          List.of(
              new Measured.GroupShare("quiet", 70, 69.98, 5, 0, 700, 1, 1000),
              new Measured.GroupShare("flood", Double.NaN, Double.NaN, 5, 0, -1, 1, 1000)),
          List.of(
              new Measured.PeriodicTimes("rt", "tick", "realtime", 5_000, 9, 1, 20, 3_000, 4_000)));

  private static final StepTimes STEP =
      new StepTimes(
          "main",
          "hash",
          "soft0",
          "normal",
          100_000,
          1_000_000,
          3,
          5,
          20_000,
          10_000,
          200_000,
          700_000,
          48,
          List.of(
              new StepTimes.Span(StepTimes.Kind.BUILD, 80_000, 100_000),
              new StepTimes.Span(StepTimes.Kind.TRANSFER, 100_000, 300_000),
              new StepTimes.Span(StepTimes.Kind.QUEUE, 300_000, 310_000),
              new StepTimes.Span(StepTimes.Kind.COMPUTE, 310_000, 1_010_000)));

  final List<JobInfo> history = new ArrayList<>();
  JobRequest request;
  JobResult result = result(JobState.DONE, null, 0);
  JobException refusal;
  boolean cancellable;

  @Override
  public JobResult run(JobRequest asked, JobObserver observer) {
    request = asked;
    if (refusal != null) {
      throw refusal;
    }
    byte[] line = "abcd  0\nrest of the buffer".getBytes(UTF_8);
    observer.print(line, 8);
    observer.progress(1, 2);
    return result;
  }

  @Override
  public List<JobInfo> list() {
    return history;
  }

  @Override
  public Optional<JobInfo> find(String id) {
    return history.stream().filter(job -> job.id().equals(id)).findFirst();
  }

  @Override
  public boolean cancel(String id) {
    if (find(id).isEmpty()) {
      throw JobException.failed(2, "unknown job " + id, null);
    }
    return cancellable;
  }

  static JobResult result(JobState state, String error, int status) {
    return new JobResult(
        "hash",
        state,
        "soft0",
        2,
        2_000_000_000L,
        2_000_000_000L,
        2,
        SURVIVED,
        List.of(STEP),
        MEASURED,
        List.of(new JobResult.Output("s", "/tmp/o", 70)),
        List.of(new JobResult.Claim("all", 2, "== 2", true)),
        error,
        status);
  }

  static JobInfo info(String id) {
    return new JobInfo(id, "hash", "/j.yml", "me", 0, result(JobState.DONE, null, 0));
  }
}
