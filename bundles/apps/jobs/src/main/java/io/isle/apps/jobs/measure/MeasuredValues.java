package io.isle.apps.jobs.measure;

import io.isle.api.jobs.Measured;
import io.isle.apps.jobs.spec.JobParser;
import java.util.Map;

/** What was measured of groups and streams, under the names that claims use. */
public final class MeasuredValues {
  private MeasuredValues() {}

  /** Of a stream with several steps that have a period: the sums, and the longest times. */
  public static void put(Measured measured, Map<String, Double> values) {
    for (Measured.GroupShare group : measured.groups()) {
      put(values, group, "promised", group.promised());
      put(values, group, "measured", group.measured());
      put(values, group, "bytes", group.bytes());
      put(values, group, "held_bytes", group.heldBytes());
      put(values, group, "cpu_ns", group.cpuNs() < 0 ? Double.NaN : group.cpuNs());
      put(values, group, "idle_ns", group.idleNs());
      put(values, group, "window_ns", group.windowNs());
    }
    for (Measured.PeriodicTimes times : measured.periodic()) {
      sum(values, times, "submissions", times.submissions());
      sum(values, times, "misses", times.misses());
      most(values, times, "period_ns", times.periodNs());
      most(values, times, "p50_ns", times.p50Ns());
      most(values, times, "p99_ns", times.p99Ns());
      most(values, times, "max_ns", times.maxNs());
    }
  }

  private static void put(
      Map<String, Double> values, Measured.GroupShare group, String measure, double value) {
    values.put(JobParser.groupMeasure(group.name(), measure), value);
  }

  private static void sum(
      Map<String, Double> values, Measured.PeriodicTimes times, String measure, double value) {
    values.merge(JobParser.streamMeasure(times.stream(), measure), value, Double::sum);
  }

  private static void most(
      Map<String, Double> values, Measured.PeriodicTimes times, String measure, double value) {
    values.merge(JobParser.streamMeasure(times.stream(), measure), value, Math::max);
  }
}
