package io.isle.fabric.ring.health;

import io.isle.lib.leap.isle.Notice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The notices that a node has to give about its neighbours: one at each change, and again and again
 * while a failure lasts. One thread at a time.
 */
final class OwnReports {
  /** Between two notices of one failure. */
  static final long REPEAT_NS = 500_000_000L;

  /** Notices of the end of a failure; some may get lost. */
  private static final int BACK_TIMES = 3;

  private static final int MOST_HOPS = 255;

  private final String self;
  private final Map<String, Report> reports = new LinkedHashMap<>();
  private final long[] greetings = new long[2];
  private long id;
  private long repeatNs = Long.MIN_VALUE;

  /** A notice that is given now and again. */
  private static final class Report {
    NeighbourWatch.View view;
    Notice.Cause cause;
    int left;

    /** Whether the notice is due at once. */
    boolean fresh;
  }

  /**
   * @param firstId smallest number of a notice; larger after a restart of the node than before it
   */
  OwnReports(String self, long firstId) {
    this.self = self;
    id = firstId;
  }

  /** The notices that are due. */
  List<Notice> due(NeighbourWatch.View prev, NeighbourWatch.View next, long nowNs) {
    look(prev, next);
    boolean all = nowNs >= repeatNs;
    if (all) {
      repeatNs = nowNs + REPEAT_NS;
    }
    List<Notice> due = new ArrayList<>();
    reports.forEach(
        (node, report) -> {
          if (report.fresh || all) {
            due.add(notice(node, report));
            report.fresh = false;
            report.left -= report.cause == Notice.Cause.BACK ? 1 : 0;
          }
        });
    reports.values().removeIf(report -> report.left <= 0);
    return due;
  }

  /** The time of the next {@link #due} without a change. */
  long deadlineNs() {
    return reports.isEmpty() ? Long.MAX_VALUE : repeatNs;
  }

  private Notice notice(String node, Report report) {
    NeighbourWatch.View view = report.view;
    return new Notice(
        self,
        ++id,
        node,
        view.address(),
        report.cause,
        view.frame(),
        view.ageNs(),
        MOST_HOPS,
        view.detail());
  }

  private void look(NeighbourWatch.View prev, NeighbourWatch.View next) {
    for (Map.Entry<String, Report> one : reports.entrySet()) {
      boolean gone = !one.getKey().equals(prev.node()) && !one.getKey().equals(next.node());
      if (gone && one.getValue().cause != Notice.Cause.BACK) {
        become(one.getValue(), Notice.Cause.BACK);
      }
    }
    boolean same = prev.node().equals(next.node());
    boolean news = prev.greetings() != greetings[0] || next.greetings() != greetings[1];
    if (same) {
      look(worse(prev, next), news);
    } else {
      look(prev, prev.greetings() != greetings[0]);
      look(next, next.greetings() != greetings[1]);
    }
    greetings[0] = prev.greetings();
    greetings[1] = next.greetings();
  }

  /** Of two links to one neighbour, the one that fails. */
  private static NeighbourWatch.View worse(NeighbourWatch.View one, NeighbourWatch.View other) {
    return one.cause() == null ? other : one;
  }

  private void look(NeighbourWatch.View view, boolean news) {
    if (view.node().isEmpty()) {
      return;
    }
    Report report = reports.get(view.node());
    if (view.cause() == null) {
      boolean failed = report != null && report.cause != Notice.Cause.BACK;
      if (failed || news) {
        report = report == null ? open(view.node()) : report;
        report.view = view;
        become(report, Notice.Cause.BACK);
      }
      return;
    }
    report = report == null ? open(view.node()) : report;
    report.view = view;
    if (report.cause != view.cause()) {
      become(report, view.cause());
    }
  }

  private Report open(String node) {
    return reports.computeIfAbsent(node, any -> new Report());
  }

  private static void become(Report report, Notice.Cause cause) {
    report.cause = cause;
    report.left = BACK_TIMES;
    report.fresh = true;
  }
}
