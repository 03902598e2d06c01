package io.isle.faces.shell.job;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobResult;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs as tables and JSON. */
final class Rows {
  private Rows() {}

  /** The document of {@code run --json}. */
  static Map<String, Object> result(JobResult result) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("job", result.job());
    map.put("state", result.state().text());
    map.put("device", result.device());
    map.put("tier", result.device() == null ? null : result.tier());
    map.put("elapsed_ns", result.elapsedNs());
    map.put("bytes", result.bytes());
    map.put("retries", result.retries());
    map.put("recoveries", result.recoveries());
    map.put("outputs", result.outputs().stream().map(Rows::output).toList());
    map.put("claims", result.claims().stream().map(Rows::claim).toList());
    map.put("error", result.error());
    return map;
  }

  private static Map<String, Object> output(JobResult.Output output) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("step", output.step());
    map.put("path", output.path());
    map.put("bytes", output.bytes());
    return map;
  }

  private static Map<String, Object> claim(JobResult.Claim claim) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", claim.name());
    map.put("value", whole(claim.value()));
    map.put("goal", claim.goal());
    map.put("holds", claim.holds());
    return map;
  }

  private static Object whole(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : value;
  }

  /** {@code job:list}. */
  static Table<JobInfo> list() {
    return new Table<JobInfo>("No job ran yet. Run one: job:run FILE --set KEY=VALUE")
        .column("id", JobInfo::id)
        .column("job", JobInfo::job)
        .column("state", job -> job.result().state().text())
        .column("device", job -> job.result().device())
        .jsonOnly("tier", job -> job.result().device() == null ? null : job.result().tier())
        .column("bytes", "bytes", job -> job.result().bytes(), Sizes::bytes)
        .column("elapsed_ns", "time", job -> job.result().elapsedNs(), Sizes::nanos)
        .column("started", "started", job -> time(job), Rows::minutes)
        .column("user", JobInfo::user)
        .jsonOnly("file", JobInfo::file)
        .column("error", job -> job.result().error());
  }

  private static String time(JobInfo job) {
    return Instant.ofEpochMilli(job.startedMs()).toString();
  }

  /** {@code 2026-01-31 23:59} (UTC) is enough in a table. */
  private static String minutes(Object time) {
    return time.toString().substring(0, 16).replace('T', ' ');
  }

  /** {@code job:show --json}. */
  static Map<String, Object> show(JobInfo job) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", job.id());
    map.putAll(result(job.result()));
    map.put("blocks", job.result().blocks());
    map.put("exit_status", job.result().exitStatus());
    map.put("file", job.file());
    map.put("user", job.user());
    map.put("started", time(job));
    return map;
  }

  static List<String> ids(List<JobInfo> jobs) {
    return jobs.stream().map(JobInfo::id).toList();
  }
}
