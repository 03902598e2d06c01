package io.isle.spin.jobs.ping;

import io.isle.api.jobs.ActionStep;
import io.isle.lib.net.ping.PingTally;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Measures of a step; those of rows that there are not have no value. */
final class PingMeasures {
  static final Set<String> NAMES = names();

  private PingMeasures() {}

  private static Set<String> names() {
    Set<String> names =
        new LinkedHashSet<>(
            List.of("rows", "runs", "sent", "answered", "lost", "repeated", "wrong", "lab"));
    for (PingProtocol protocol : PingProtocol.values()) {
      for (PingMode mode : PingMode.values()) {
        for (int number = 1; number <= PingPlan.MOST_SIZES; number++) {
          String prefix = PingRow.prefix(protocol, mode, number);
          names.addAll(List.of(prefix + "_ns", prefix + "_low_ns", prefix + "_high_ns"));
        }
      }
    }
    return Set.copyOf(names);
  }

  /**
   * @param lab whether requests went through a lab
   */
  static void set(ActionStep step, List<PingRow> rows, boolean lab) {
    PingTally sum =
        rows.stream().map(PingRow::tally).reduce(new PingTally(0, 0, 0, 0, 0), PingTally::plus);
    step.measure("rows", rows.size());
    step.measure("runs", rows.stream().mapToInt(PingRow::runs).min().orElse(0));
    step.measure("sent", sum.sent());
    step.measure("answered", sum.answered());
    step.measure("lost", sum.lost());
    step.measure("repeated", sum.repeated());
    step.measure("wrong", sum.wrong());
    step.measure("lab", lab ? 1 : 0);
    for (PingRow row : rows) {
      set(step, row.prefix() + "_ns", row.rtt().median());
      set(step, row.prefix() + "_low_ns", row.rtt().low());
      set(step, row.prefix() + "_high_ns", row.rtt().high());
    }
  }

  private static void set(ActionStep step, String name, double value) {
    if (!Double.isNaN(value)) {
      step.measure(name, value);
    }
  }
}
