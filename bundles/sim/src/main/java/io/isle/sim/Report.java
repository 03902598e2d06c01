package io.isle.sim;

import io.isle.api.device.Priority;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a simulation came to: figures by device, context and group. */
final class Report {
  private final Simulation simulation;
  private final long durationNs;

  Report(Simulation simulation) {
    this.simulation = simulation;
    durationNs = simulation.scenario().durationNs();
  }

  /** For people. */
  void print(PrintStream out) {
    Table contexts =
        new Table(
            "context",
            "device",
            "group",
            "priority",
            "promised",
            "given",
            "submitted",
            "completed",
            "failed",
            "missed",
            "wait p50",
            "p99",
            "max",
            "latency p50",
            "p99",
            "max",
            "preempted",
            "throttled");
    for (TenantRun t : simulation.tenants()) {
      contexts.row(
          t.spec().name(),
          t.spec().device(),
          t.spec().group(),
          t.priority().map(Priority::text).orElse("-"),
          t.spec().guarantee().isEmpty() ? "-" : percent(t.promise.average(durationNs)),
          percent(given(t)),
          Long.toString(t.submitted),
          Long.toString(t.completed),
          Long.toString(t.failed),
          t.spec().deadlineNs() == 0 ? "-" : Long.toString(t.misses),
          Durations.rounded(t.waits.percentile(0.5)),
          Durations.rounded(t.waits.percentile(0.99)),
          Durations.rounded(t.waits.max()),
          Durations.rounded(t.latencies.percentile(0.5)),
          Durations.rounded(t.latencies.percentile(0.99)),
          Durations.rounded(t.latencies.max()),
          Long.toString(t.preemptions),
          Durations.rounded(t.throttledNs()));
    }
    contexts.print(out);
    out.append('\n');
    Table groups =
        new Table(
            "group",
            "device",
            "contexts",
            "promised",
            "given",
            "completed",
            "missed",
            "wait p99",
            "latency p99",
            "preempted");
    for (GroupRow row : groups()) {
      groups.row(
          row.group,
          row.device,
          Integer.toString(row.contexts),
          row.promised == 0 ? "-" : percent(row.promised),
          percent(row.given),
          Long.toString(row.completed),
          Long.toString(row.misses),
          Durations.rounded(row.waits.percentile(0.99)),
          Durations.rounded(row.latencies.percentile(0.99)),
          Long.toString(row.preemptions));
    }
    groups.print(out);
    out.append('\n');
    for (DeviceRun device : simulation.devices()) {
      out.append(device.spec().id() + ": busy " + percent(busy(device)) + " of ");
      out.append(Durations.text(durationNs) + ", policy " + policy(device) + "\n");
    }
  }

  /** The fields of a JSON document; the caller writes the braces. */
  void json(PrintStream out) {
    out.append("\"seed\":" + simulation.scenario().seed());
    out.append(",\"duration_ns\":" + durationNs);
    out.append(",\n\"devices\":[");
    List<String> rows = new ArrayList<>();
    for (DeviceRun device : simulation.devices()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("device", device.spec().id());
      row.put("compute_units", device.spec().units());
      row.put("policy", policy(device));
      row.put("busy", busy(device));
      row.put("busy_ns", device.ranNs() / device.spec().parallel());
      rows.add(Json.object(row));
    }
    out.append(String.join(",", rows)).append("],\n\"contexts\":[");
    rows.clear();
    simulation.tenants().forEach(tenant -> rows.add(Json.object(row(tenant))));
    out.append(String.join(",\n", rows)).append("],\n\"groups\":[");
    rows.clear();
    groups().forEach(group -> rows.add(Json.object(group.row())));
    out.append(String.join(",\n", rows)).append("]");
  }

  private Map<String, Object> row(TenantRun t) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("context", t.spec().name());
    row.put("device", t.spec().device());
    row.put("group", t.spec().group());
    row.put("priority", t.priority().map(Priority::text).orElse(null));
    row.put("promised", t.spec().guarantee().isEmpty() ? null : t.promise.average(durationNs));
    row.put("given", given(t));
    row.put("busy_ns", ranNs(t) / simulation.deviceOf(t).spec().parallel());
    row.put("submissions", t.submitted);
    row.put("completed", t.completed);
    row.put("failed", t.failed);
    row.put("deferred", t.deferred);
    row.put("misses", t.spec().deadlineNs() == 0 ? null : t.misses);
    distribution(row, "wait", t.waits);
    distribution(row, "latency", t.latencies);
    row.put("preemptions", t.preemptions);
    row.put("throttled_ns", t.throttledNs());
    return row;
  }

  private static void distribution(Map<String, Object> row, String name, Distribution values) {
    row.put(name + "_p50_ns", values.percentile(0.5));
    row.put(name + "_p99_ns", values.percentile(0.99));
    row.put(name + "_max_ns", values.max());
  }

  /** A group on a device, with what is below it. */
  private static final class GroupRow {
    final String group;
    final String device;
    final double promised;
    int contexts;
    double given;
    long completed;
    long failed;
    long misses;
    long preemptions;
    final Distribution waits = new Distribution();
    final Distribution latencies = new Distribution();

    GroupRow(String group, String device, double promised) {
      this.group = group;
      this.device = device;
      this.promised = promised;
    }

    Map<String, Object> row() {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("group", group);
      row.put("device", device);
      row.put("contexts", contexts);
      row.put("promised", promised == 0 ? null : promised);
      row.put("given", given);
      row.put("completed", completed);
      row.put("failed", failed);
      row.put("misses", misses);
      distribution(row, "wait", waits);
      distribution(row, "latency", latencies);
      row.put("preemptions", preemptions);
      return row;
    }
  }

  private List<GroupRow> groups() {
    List<GroupRow> rows = new ArrayList<>();
    for (String name : simulation.groups().names()) {
      for (DeviceRun device : simulation.devices()) {
        String id = device.spec().id();
        double promised = simulation.groups().promise(name, id).average(durationNs);
        GroupRow row = new GroupRow(name, id, promised);
        for (TenantRun t : simulation.groups().within(name, id)) {
          row.contexts++;
          row.given += given(t);
          row.completed += t.completed;
          row.failed += t.failed;
          row.misses += t.misses;
          row.preemptions += t.preemptions;
          row.waits.add(t.waits);
          row.latencies.add(t.latencies);
        }
        if (row.contexts > 0 || promised > 0) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private long ranNs(TenantRun tenant) {
    return tenant.ranNs + simulation.deviceOf(tenant).runningNs(tenant);
  }

  /** Part of its device. */
  double given(TenantRun tenant) {
    int parallel = simulation.deviceOf(tenant).spec().parallel();
    return (double) ranNs(tenant) / parallel / durationNs;
  }

  private double busy(DeviceRun device) {
    return (double) device.ranNs() / device.spec().parallel() / durationNs;
  }

  private static String policy(DeviceRun device) {
    return device.plane().scheduler().policy().name().toLowerCase(Locale.ROOT);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * part);
  }
}
