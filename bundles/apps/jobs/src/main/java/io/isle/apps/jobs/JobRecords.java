package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Jobs to and from maps of the history's file. */
final class JobRecords {
  private JobRecords() {}

  static Map<String, Object> map(JobInfo job) {
    JobResult result = job.result();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", job.id());
    map.put("job", job.job());
    map.put("file", job.file());
    map.put("user", job.user());
    map.put("started_ms", job.startedMs());
    map.put("state", result.state().name());
    map.put("device", result.device());
    map.put("tier", result.tier());
    map.put("elapsed_ns", result.elapsedNs());
    map.put("bytes", result.bytes());
    map.put("blocks", result.blocks());
    Survival survival = result.survival();
    map.put("retries", survival.retries());
    map.put("recoveries", survival.recoveries());
    map.put("failed", survival.failed());
    map.put("replayed", survival.replayed());
    map.put("wrong", survival.wrong());
    map.put("error", result.error());
    map.put("exit_status", result.exitStatus());
    map.put("steps", RecordRows.rows(result.steps()));
    map.put("groups", RecordRows.rows(result.measured().groups()));
    map.put("periodic", RecordRows.rows(result.measured().periodic()));
    map.put("outputs", RecordRows.rows(result.outputs()));
    map.put("claims", RecordRows.rows(result.claims()));
    return map;
  }

  /**
   * @throws RuntimeException if it is none; which one tells nobody anything
   */
  static JobInfo job(Map<?, ?> map) {
    Long.parseLong(needed(map, "id"));
    JobState state = JobState.valueOf(needed(map, "state"));
    boolean lost = state == JobState.RUNNING;
    JobResult result =
        new JobResult(
            needed(map, "job"),
            lost ? JobState.FAILED : state,
            text(map, "device"),
            (int) number(map, "tier"),
            number(map, "elapsed_ns"),
            number(map, "bytes"),
            number(map, "blocks"),
            survival(map),
            RecordRows.records(StepTimes.class, map, "steps"),
            new Measured(
                RecordRows.records(Measured.GroupShare.class, map, "groups"),
                RecordRows.records(Measured.PeriodicTimes.class, map, "periodic")),
            RecordRows.records(JobResult.Output.class, map, "outputs"),
            RecordRows.records(JobResult.Claim.class, map, "claims"),
            lost ? "the platform ended while the job ran" : text(map, "error"),
            lost ? 1 : (int) number(map, "exit_status"));
    return new JobInfo(
        needed(map, "id"),
        needed(map, "job"),
        needed(map, "file"),
        needed(map, "user"),
        number(map, "started_ms"),
        result);
  }

  /** The same job with another result. */
  static JobInfo with(JobInfo job, JobResult result) {
    return new JobInfo(job.id(), job.job(), job.file(), job.user(), job.startedMs(), result);
  }

  /** The same job without its steps, outputs, claims and what it measured. */
  static JobInfo withoutLists(JobInfo job) {
    JobResult r = job.result();
    return with(
        job, result(r, List.of(), Measured.NONE, List.of(), List.of(), r.error(), r.exitStatus()));
  }

  /** What the history keeps: times of steps, but not all that happened when. */
  static JobResult kept(JobResult r) {
    return result(
        r,
        r.steps().stream().map(StepTimes::withoutSpans).toList(),
        r.measured(),
        r.outputs(),
        r.claims(),
        r.error(),
        r.exitStatus());
  }

  /** The same result of a job that ended otherwise. */
  static JobResult ended(JobResult r, String error, int status) {
    return result(r, r.steps(), r.measured(), r.outputs(), r.claims(), error, status);
  }

  private static JobResult result(
      JobResult r,
      List<StepTimes> steps,
      Measured measured,
      List<JobResult.Output> outputs,
      List<JobResult.Claim> claims,
      String error,
      int status) {
    return new JobResult(
        r.job(),
        r.state(),
        r.device(),
        r.tier(),
        r.elapsedNs(),
        r.bytes(),
        r.blocks(),
        r.survival(),
        steps,
        measured,
        outputs,
        claims,
        error,
        status);
  }

  /** The counts; single recoveries are the device's history, not the job's. */
  private static Survival survival(Map<?, ?> map) {
    return new Survival(
        number(map, "retries"),
        number(map, "recoveries"),
        number(map, "failed"),
        number(map, "replayed"),
        number(map, "wrong"),
        List.of());
  }

  private static String text(Map<?, ?> map, String key) {
    return (String) map.get(key);
  }

  private static String needed(Map<?, ?> map, String key) {
    return Objects.requireNonNull(text(map, key), key);
  }

  private static long number(Map<?, ?> map, String key) {
    return map.get(key) instanceof Number number ? number.longValue() : 0;
  }
}
