package io.isle.faces.shell.ring;

import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The traffic of a node between two readings.
 *
 * @param sentPerSecond packets to the next node
 * @param receivedPerSecond packets of the previous node
 */
record TopRow(
    StatusRow status,
    double sentPerSecond,
    double sentBytesPerSecond,
    double receivedPerSecond,
    double receivedBytesPerSecond,
    double lostPerSecond,
    double repairedPerSecond) {
  /** The nodes of the second reading, in the order of their rings. */
  static List<TopRow> between(TopReading before, TopReading now) {
    return now.nodes().stream().map(row -> of(row, before, now)).toList();
  }

  private static TopRow of(StatusRow row, TopReading before, TopReading now) {
    return new TopRow(
        row,
        rate(row, "frames_sent", "next", before, now),
        rate(row, "bytes_sent", "next", before, now),
        rate(row, "frames_received", "prev", before, now),
        rate(row, "bytes_received", "prev", before, now),
        rate(row, "lost", "prev", before, now) + rate(row, "lost", "next", before, now),
        rate(row, "repaired", "prev", before, now) + rate(row, "repaired", "next", before, now));
  }

  private static double rate(
      StatusRow row, String counter, String side, TopReading before, TopReading now) {
    String node = row.name();
    double seconds = Math.max(1, now.atNs() - before.atNs()) / 1e9;
    long more = now.counter(counter, node, side) - before.counter(counter, node, side);
    return Math.max(0, more) / seconds;
  }

  static Table<TopRow> table() {
    return new Table<TopRow>("No nodes of rings; ring:create makes one.")
        .column("ring", row -> row.status().ring())
        .column("node", row -> row.status().name())
        .whole()
        .column("state", row -> row.status().state())
        .column("received_per_s", "received/s", here(TopRow::receivedPerSecond), Sizes::tenths)
        .jsonOnly("received_bytes_per_s", here(TopRow::receivedBytesPerSecond))
        .shownOnly("received B/s", bytes(TopRow::receivedBytesPerSecond))
        .column("sent_per_s", "sent/s", here(TopRow::sentPerSecond), Sizes::tenths)
        .jsonOnly("sent_bytes_per_s", here(TopRow::sentBytesPerSecond))
        .shownOnly("sent B/s", bytes(TopRow::sentBytesPerSecond))
        .column("lost_per_s", "lost/s", here(TopRow::lostPerSecond), Sizes::tenths)
        .column("repaired_per_s", "repaired/s", here(TopRow::repairedPerSecond), Sizes::tenths)
        .column("hop_p50_ns", "hop p50", row -> row.status().hopP50Ns(), Sizes::nanos)
        .column("hop_p99_ns", "hop p99", row -> row.status().hopP99Ns(), Sizes::nanos)
        .column("error", "last error", row -> row.status().error(), Table::plain);
  }

  private static Function<TopRow, String> bytes(ToDoubleFunction<TopRow> rate) {
    return row ->
        row.isHere() ? Sizes.bytes(Math.round(rate.applyAsDouble(row))) : Table.plain(null);
  }

  private static Function<TopRow, Object> here(ToDoubleFunction<TopRow> rate) {
    return row -> row.isHere() ? rate.applyAsDouble(row) : null;
  }

  /** The traffic of a node of another platform is not known here. */
  private boolean isHere() {
    return status.node().isPresent();
  }
}
