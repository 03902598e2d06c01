package io.isle.faces.shell.chaos;

import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosRequest;
import io.isle.faces.shell.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as lines and as JSON. */
final class Rows {
  private Rows() {}

  static Map<String, Object> document(ChaosReport report) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seed", report.seed());
    map.put("minutes", report.minutes());
    map.put("steps", report.steps());
    map.putAll(work(report.work()));
    Map<String, Object> faults = new LinkedHashMap<>();
    report.faults().forEach(fault -> faults.put(fault.kind(), fault.done()));
    map.put("faults", faults);
    map.put(
        "faults_wanted",
        report.faults().stream().mapToLong(ChaosReport.Fault::wanted).max().orElse(0));
    map.put("leaks", report.complete() ? report.leaks().stream().map(Rows::leak).toList() : null);
    map.put("recoveries", recoveries(report.recoveries()));
    map.put("plants", report.plants().stream().sorted().map(ChaosRequest.Plant::text).toList());
    map.put("complete", report.complete());
    map.put("passed", report.passed());
    map.put("problems", report.problems());
    return map;
  }

  private static Map<String, Object> work(ChaosReport.Work work) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("submissions", work.submitted());
    map.put("completed", work.completed());
    map.put("checked", work.checked());
    map.put("interrupted", work.interrupted());
    map.put("timed_out", work.timedOut());
    map.put("no_data", work.noData());
    map.put("no_device", work.noDevice());
    map.put("closed", work.closed());
    map.put("failed", work.failed());
    map.put("refused", work.refused());
    map.put("lost", work.lost());
    map.put("doubled", work.doubled());
    map.put("wrong", work.wrong());
    map.put("illegal", work.illegal());
    map.put("disagreeing", work.disagreeing());
    return map;
  }

  private static Map<String, Object> leak(ChaosReport.Leak leak) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("what", leak.what());
    map.put("before", leak.before());
    map.put("after", leak.after());
    return map;
  }

  private static Map<String, Object> recoveries(ChaosReport.Recoveries recoveries) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("count", recoveries.count());
    map.put("failed", recoveries.failed());
    map.put("median_ns", recoveries.medianNs());
    map.put("p99_ns", recoveries.p99Ns());
    return map;
  }

  static List<String> lines(ChaosReport report) {
    List<String> lines = new ArrayList<>();
    line(lines, "seed", report.seed());
    line(lines, "minutes", report.minutes());
    line(lines, "steps", report.steps());
    work(report.work()).forEach((key, value) -> line(lines, key.replace('_', ' '), value));
    for (ChaosReport.Fault fault : report.faults()) {
      String wanted = report.complete() ? " (wanted " + fault.wanted() + ")" : "";
      line(lines, fault.kind(), fault.done() + wanted);
    }
    ChaosReport.Recoveries recoveries = report.recoveries();
    line(
        lines,
        "recoveries",
        recoveries.count()
            + ", median "
            + Sizes.nanos(recoveries.medianNs())
            + ", p99 "
            + Sizes.nanos(recoveries.p99Ns())
            + ", failed "
            + recoveries.failed());
    line(
        lines,
        "leaks",
        report.complete() ? report.leaks().size() : "not checked, the run ended early");
    report.problems().forEach(problem -> lines.add("! " + problem));
    return lines;
  }

  private static void line(List<String> lines, String key, Object value) {
    lines.add(String.format(Locale.ROOT, "%-16s %s", key, value));
  }
}
