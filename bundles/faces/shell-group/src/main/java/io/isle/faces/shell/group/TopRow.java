package io.isle.faces.shell.group;

import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupCounters;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What happened in a group, with all below it, between two readings. Figures are null where nobody
 * counts them.
 *
 * @param parent null for the root
 * @param guarantee as it is set, its own or inherited; null without one
 * @param promisedPercent of the devices that it has something of, together; 100 is one whole device
 * @param givenPercent share that it had of these devices in the last window of each, likewise
 * @param busyPercent device time of the time that passed; 100 is one whole device
 * @param throttledPercent time that limits held work back, of the time that passed, all contexts
 *     together
 * @param pending submissions that wait at the second reading, on all devices
 * @param waitP99Ns on the device where it is longest
 * @param memoryBytes device memory now
 * @param memoryPeakBytes most of it at a time
 */
record TopRow(
    String group,
    String parent,
    String guarantee,
    Double promisedPercent,
    Double givenPercent,
    Double busyPercent,
    Double submissionsPerSecond,
    Double preemptionsPerSecond,
    Double throttledPercent,
    Long pending,
    Long waitP99Ns,
    Long memoryBytes,
    Long memoryPeakBytes) {
  private static final String GUARANTEE = "compute.guarantee";

  /** The groups of the second reading, parents first. */
  static List<TopRow> between(TopReading before, TopReading now) {
    double seconds = Math.max(1, now.atNs() - before.atNs()) / 1e9;
    return now.tree().groups().stream()
        .map(
            group ->
                of(
                    group,
                    before.counters().getOrDefault(group.name(), Map.of()),
                    now.counters().getOrDefault(group.name(), Map.of()),
                    now.usages().stream()
                        .filter(row -> row.group().equals(group.name()))
                        .map(GroupUsage::usage)
                        .toList(),
                    seconds))
        .toList();
  }

  private static TopRow of(
      Group group,
      Map<String, Long> before,
      Map<String, Long> now,
      List<Usage> usages,
      double seconds) {
    Double throttledUs = rate(GroupCounters.THROTTLED_US, before, now, seconds);
    Double busyUs = rate(GroupCounters.COMPUTE_TIME_US, before, now, seconds);
    return new TopRow(
        group.name(),
        group.parent().orElse(null),
        group.text(GUARANTEE).filter(text -> !text.isEmpty()).orElse(null),
        sum(usages, Usage::promisedPercent),
        sum(usages, Usage::givenPercent),
        busyUs == null ? null : busyUs / 1e6 * 100,
        rate(GroupCounters.SUBMISSIONS, before, now, seconds),
        rate(GroupCounters.PREEMPTIONS, before, now, seconds),
        throttledUs == null ? null : throttledUs / 1e6 * 100,
        usages.isEmpty() ? null : usages.stream().mapToLong(Usage::pending).sum(),
        usages.stream().map(Usage::waitP99Ns).max(Long::compare).orElse(null),
        now.get(GroupCounters.MEMORY_CURRENT),
        now.get(GroupCounters.MEMORY_PEAK));
  }

  private static Double sum(List<Usage> usages, ToDoubleFunction<Usage> share) {
    return usages.isEmpty() ? null : usages.stream().mapToDouble(share).sum();
  }

  /** Per second. A group that was not there before has done all of it since. */
  private static Double rate(
      String counter, Map<String, Long> before, Map<String, Long> now, double seconds) {
    Long count = now.get(counter);
    return count == null ? null : Math.max(0, count - before.getOrDefault(counter, 0L)) / seconds;
  }

  static Table<TopRow> table() {
    return new Table<TopRow>("No groups.")
        .column("group", TopRow::group)
        .whole()
        .column("parent", TopRow::parent)
        .jsonOnly("guarantee", TopRow::guarantee)
        .column("promised_percent", "promised %", TopRow::promisedPercent, Sizes::tenths)
        .column("given_percent", "given %", TopRow::givenPercent, Sizes::tenths)
        .column("busy_percent", "busy %", TopRow::busyPercent, Sizes::tenths)
        .column("submissions_per_s", "submitted/s", TopRow::submissionsPerSecond, Sizes::tenths)
        .column("preemptions_per_s", "preempted/s", TopRow::preemptionsPerSecond, Sizes::tenths)
        .jsonOnly("throttled_percent", TopRow::throttledPercent)
        .column("pending", TopRow::pending)
        .column("wait_p99_ns", "wait p99", TopRow::waitP99Ns, Sizes::nanos)
        .column("memory_bytes", "memory", TopRow::memoryBytes, Sizes::bytes)
        .column("memory_peak_bytes", "peak", TopRow::memoryPeakBytes, Sizes::bytes);
  }
}
