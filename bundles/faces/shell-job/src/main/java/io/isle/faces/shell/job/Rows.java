package io.isle.faces.shell.job;

import io.isle.api.device.Recovery;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobRecovery;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
    Survival survival = result.survival();
    map.put("retries", survival.retries());
    map.put("recoveries", survival.recoveries());
    map.put("failed", survival.failed());
    map.put("replayed", survival.replayed());
    map.put("retried", survival.retries());
    map.put("wrong", survival.wrong());
    map.put("recovery_log", survival.log().stream().map(Rows::recovery).toList());
    map.put("steps", result.steps().stream().map(steps()::object).toList());
    map.put(
        "groups", result.measured().groups().stream().map(MeasuredRows.groups()::object).toList());
    map.put(
        "periodic",
        result.measured().periodic().stream().map(MeasuredRows.periodic()::object).toList());
    map.put("outputs", result.outputs().stream().map(Rows::output).toList());
    map.put("claims", result.claims().stream().map(Rows::claim).toList());
    map.put("error", result.error());
    return map;
  }

  /** What {@code driver:history} says of it, and what it was for the job. */
  private static Map<String, Object> recovery(JobRecovery recovery) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", kind(recovery));
    map.putAll(Recoveries.table().object(recovery.recovery()));
    return map;
  }

  /** The fault that the job planned, else the cause that was seen. */
  private static String kind(JobRecovery recovery) {
    return recovery.fault().orElseGet(() -> recovery.recovery().cause().kind().text());
  }

  /** Steps and where their time went. */
  static Table<StepTimes> steps() {
    return new Table<StepTimes>("")
        .column("stream", StepTimes::stream)
        .column("step", StepTimes::step)
        .column("device", StepTimes::device)
        .column("priority", StepTimes::priority)
        .jsonOnly("start_ns", StepTimes::startNs)
        .column("elapsed_ns", "time", StepTimes::elapsedNs, Sizes::nanos)
        .column("build_ns", "build", StepTimes::buildNs, Sizes::nanos)
        .column("queue_ns", "queue", StepTimes::queueNs, Sizes::nanos)
        .column("transfer_ns", "transfer", StepTimes::transferNs, Sizes::nanos)
        .column("compute_ns", "compute", StepTimes::computeNs, Sizes::nanos)
        .column("pieces", StepTimes::pieces)
        .column("bytes", "bytes", StepTimes::bytes, Sizes::bytes)
        .jsonOnly("put_back_bytes", StepTimes::putBackBytes);
  }

  /** Recoveries that a job went through, for people. */
  static Table<JobRecovery> recoveries() {
    Table<JobRecovery> table =
        new Table<JobRecovery>("")
            .column("device", r -> r.recovery().device())
            .column("kind", Rows::kind)
            .column("epoch", r -> r.recovery().toEpoch())
            .column("total", "total", r -> r.recovery().totalNs(), Sizes::nanos);
    for (Recovery.Phase phase : Recovery.Phase.values()) {
      String name = phase.name().toLowerCase(Locale.ROOT);
      table.column(name, name, r -> time(r.recovery(), phase), Sizes::nanos);
    }
    return table;
  }

  private static Long time(Recovery recovery, Recovery.Phase phase) {
    return recovery.phases().stream()
        .filter(time -> time.phase() == phase)
        .map(Recovery.PhaseTime::ns)
        .reduce(Long::sum)
        .orElse(null);
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

  /** Null for what is no number. */
  private static Object whole(double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : value;
  }

  /** {@code job:list}. */
  static Table<JobInfo> list() {
    return new Table<JobInfo>("No jobs. Run one: job:run FILE --set KEY=VALUE")
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
