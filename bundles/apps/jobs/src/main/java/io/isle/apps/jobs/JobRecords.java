package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.Survival;
import java.util.ArrayList;
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
    map.put("steps", result.steps().stream().map(StepRecords::row).toList());
    MeasuredRecords.put(map, result.measured());
    List<Object> outputs = new ArrayList<>();
    result
        .outputs()
        .forEach(o -> outputs.add(List.of(o.step(), o.path(), Long.toString(o.bytes()))));
    map.put("outputs", outputs);
    List<Object> claims = new ArrayList<>();
    result
        .claims()
        .forEach(
            c ->
                claims.add(
                    List.of(
                        c.name(),
                        Double.toString(c.value()),
                        c.goal(),
                        Boolean.toString(c.holds()))));
    map.put("claims", claims);
    return map;
  }

  /**
   * @throws RuntimeException if it is none; which one tells nobody anything
   */
  static JobInfo job(Map<?, ?> map) {
    Long.parseLong(needed(map, "id"));
    JobState state = JobState.valueOf(needed(map, "state"));
    boolean lost = state == JobState.RUNNING;
    List<JobResult.Output> outputs = new ArrayList<>();
    for (Object o : rows(map, "outputs")) {
      List<?> row = (List<?>) o;
      outputs.add(
          new JobResult.Output(
              (String) row.get(0), (String) row.get(1), Long.parseLong((String) row.get(2))));
    }
    List<JobResult.Claim> claims = new ArrayList<>();
    for (Object o : rows(map, "claims")) {
      List<?> row = (List<?>) o;
      claims.add(
          new JobResult.Claim(
              (String) row.get(0),
              Double.parseDouble((String) row.get(1)),
              (String) row.get(2),
              Boolean.parseBoolean((String) row.get(3))));
    }
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
            StepRecords.steps(map.get("steps")),
            MeasuredRecords.measured(map),
            outputs,
            claims,
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

  /** The same job without its steps, outputs, claims and what it measured. */
  static JobInfo withoutLists(JobInfo job) {
    JobResult r = job.result();
    return new JobInfo(
        job.id(),
        job.job(),
        job.file(),
        job.user(),
        job.startedMs(),
        new JobResult(
            r.job(),
            r.state(),
            r.device(),
            r.tier(),
            r.elapsedNs(),
            r.bytes(),
            r.blocks(),
            r.survival(),
            List.of(),
            Measured.NONE,
            List.of(),
            List.of(),
            r.error(),
            r.exitStatus()));
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

  private static List<?> rows(Map<?, ?> map, String key) {
    return map.get(key) instanceof List<?> rows ? rows : List.of();
  }

  private static long number(Map<?, ?> map, String key) {
    return map.get(key) instanceof Number number ? number.longValue() : 0;
  }
}
