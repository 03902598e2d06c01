package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextStats;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The work of a context between two readings.
 *
 * @param hpus mean number of its HPUs that were busy
 */
record TopRow(
    ContextInfo context,
    double packets,
    double messages,
    double sends,
    double drops,
    double traps,
    double hpus) {
  private static final double NS_PER_S = 1e9;

  static List<TopRow> between(TopReading before, TopReading now) {
    double seconds = Math.max(1, now.atNs() - before.atNs()) / NS_PER_S;
    List<TopRow> rows = new ArrayList<>();
    for (ContextInfo context : now.contexts()) {
      Optional<ContextStats> old =
          before.contexts().stream()
              .filter(one -> one.name().equals(context.name()))
              .map(ContextInfo::stats)
              .findFirst();
      rows.add(
          new TopRow(
              context,
              rate(old, context, ContextStats::packets, seconds),
              rate(old, context, ContextStats::messages, seconds),
              rate(old, context, ContextStats::sends, seconds),
              rate(old, context, ContextStats::drops, seconds),
              rate(old, context, ContextStats::traps, seconds),
              rate(old, context, ContextStats::hpuNs, seconds) / NS_PER_S));
    }
    return rows;
  }

  private static double rate(
      Optional<ContextStats> old,
      ContextInfo now,
      ToLongFunction<ContextStats> figure,
      double seconds) {
    long more = figure.applyAsLong(now.stats()) - old.map(figure::applyAsLong).orElse(0L);
    return Math.max(0, more) / seconds;
  }

  static Table<TopRow> table() {
    return new Table<TopRow>(ContextRows.NONE)
        .column("context", row -> row.context().name())
        .whole()
        .column("group", row -> row.context().group())
        .column("state", row -> row.context().state().text())
        .column("packets_per_s", "packets/s", TopRow::packets, Sizes::tenths)
        .column("messages_per_s", "messages/s", TopRow::messages, Sizes::tenths)
        .column("sends_per_s", "sends/s", TopRow::sends, Sizes::tenths)
        .column("drops_per_s", "drops/s", TopRow::drops, Sizes::tenths)
        .column("traps_per_s", "traps/s", TopRow::traps, Sizes::tenths)
        .column("hpus", "HPUs", TopRow::hpus, Sizes::tenths);
  }
}
