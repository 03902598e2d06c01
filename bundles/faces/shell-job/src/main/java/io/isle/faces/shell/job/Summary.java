package io.isle.faces.shell.job;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.StepTimes;
import io.isle.api.jobs.Survival;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a job for people: lines that begin with {@code #}, so that they are told from what
 * the job itself prints.
 */
final class Summary {
  private Summary() {}

  static List<String> lines(JobResult result) {
    List<String> lines = new ArrayList<>();
    double seconds = result.elapsedNs() / 1e9;
    line(lines, "job", result.job());
    line(lines, "bytes", Long.toString(result.bytes()));
    line(lines, "blocks", Long.toString(result.blocks()));
    line(lines, "seconds", String.format(Locale.ROOT, "%.3f", seconds));
    line(lines, "GB/s", String.format(Locale.ROOT, "%.3f", result.bytes() / 1e9 / seconds));
    line(lines, "device", String.valueOf(result.device()));
    line(lines, "tier", Integer.toString(result.tier()));
    survival(lines, result.survival());
    if (!result.steps().isEmpty()) {
      Rows.steps().lines(result.steps(), 0).forEach(row -> lines.add("# " + row));
    }
    long putBack = result.steps().stream().mapToLong(StepTimes::putBackBytes).sum();
    if (putBack > 0) {
      line(lines, "put back", putBack + " bytes of inputs that kernels may have changed");
    }
    if (!result.measured().groups().isEmpty()) {
      MeasuredRows.groups()
          .lines(result.measured().groups(), 0)
          .forEach(row -> lines.add("# " + row));
    }
    if (!result.measured().periodic().isEmpty()) {
      MeasuredRows.periodic()
          .lines(result.measured().periodic(), 0)
          .forEach(row -> lines.add("# " + row));
    }
    for (JobResult.Output output : result.outputs()) {
      line(lines, "output", output.path() + " (" + output.bytes() + " bytes)");
    }
    for (JobResult.Claim claim : result.claims()) {
      line(
          lines,
          "claim",
          claim.name()
              + ": "
              + number(claim.value())
              + " "
              + claim.goal()
              + (claim.holds() ? ", holds" : ", DOES NOT HOLD"));
    }
    return lines;
  }

  /** Nothing for a job that nothing happened to. */
  private static void survival(List<String> lines, Survival survival) {
    if (survival.equals(Survival.CALM)) {
      return;
    }
    line(lines, "recoveries", Long.toString(survival.recoveries()));
    line(lines, "retries", Long.toString(survival.retries()));
    line(lines, "replayed", Long.toString(survival.replayed()));
    line(lines, "failed", Long.toString(survival.failed()));
    line(lines, "wrong", Long.toString(survival.wrong()));
    if (!survival.log().isEmpty()) {
      Rows.recoveries().lines(survival.log(), 0).forEach(row -> lines.add("# " + row));
    }
  }

  private static void line(List<String> lines, String key, String value) {
    lines.add(String.format(Locale.ROOT, "# %-8s %s", key, value));
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }
}
