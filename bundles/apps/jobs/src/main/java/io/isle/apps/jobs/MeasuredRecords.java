package io.isle.apps.jobs;

import io.isle.api.jobs.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What jobs measured, in the history's file: a row of texts and numbers each. */
final class MeasuredRecords {
  private static final String GROUPS = "groups";
  private static final String PERIODIC = "periodic";

  private MeasuredRecords() {}

  static void put(Map<String, Object> job, Measured measured) {
    job.put(GROUPS, measured.groups().stream().map(MeasuredRecords::row).toList());
    job.put(PERIODIC, measured.periodic().stream().map(MeasuredRecords::row).toList());
  }

  private static List<Object> row(Measured.GroupShare group) {
    return List.of(
        group.name(),
        Double.toString(group.promised()),
        Double.toString(group.measured()),
        group.bytes(),
        group.heldBytes(),
        group.cpuNs(),
        group.idleNs(),
        group.windowNs());
  }

  private static List<Object> row(Measured.PeriodicTimes times) {
    return List.of(
        times.stream(),
        times.step(),
        times.priority(),
        times.periodNs(),
        times.submissions(),
        times.misses(),
        times.p50Ns(),
        times.p99Ns(),
        times.maxNs());
  }

  /** Nothing of a history that was written before this was kept. */
  static Measured measured(Map<?, ?> job) {
    List<Measured.GroupShare> groups = new ArrayList<>();
    for (List<?> row : rows(job.get(GROUPS))) {
      groups.add(
          new Measured.GroupShare(
              (String) row.get(0),
              Double.parseDouble((String) row.get(1)),
              Double.parseDouble((String) row.get(2)),
              number(row, 3),
              number(row, 4),
              number(row, 5),
              number(row, 6),
              number(row, 7)));
    }
    List<Measured.PeriodicTimes> periodic = new ArrayList<>();
    for (List<?> row : rows(job.get(PERIODIC))) {
      periodic.add(
          new Measured.PeriodicTimes(
              (String) row.get(0),
              (String) row.get(1),
              (String) row.get(2),
              number(row, 3),
              number(row, 4),
              number(row, 5),
              number(row, 6),
              number(row, 7),
              number(row, 8)));
    }
    return new Measured(groups, periodic);
  }

  private static List<List<?>> rows(Object section) {
    List<List<?>> rows = new ArrayList<>();
    for (Object row : section instanceof List<?> list ? list : List.of()) {
      rows.add((List<?>) row);
    }
    return rows;
  }

  private static long number(List<?> values, int index) {
    return ((Number) values.get(index)).longValue();
  }
}
