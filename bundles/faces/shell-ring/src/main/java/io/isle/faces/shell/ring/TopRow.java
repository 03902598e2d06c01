package io.isle.faces.shell.ring;

import io.isle.api.fabric.HopTimes;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;

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
    String node = row.node().name();
    double seconds = Math.max(1, now.atNs() - before.atNs()) / 1e9;
    long more = now.counter(counter, node, side) - before.counter(counter, node, side);
    return Math.max(0, more) / seconds;
  }

  static Table<TopRow> table() {
    return new Table<TopRow>("No nodes of rings; ring:create makes one.")
        .column("ring", row -> row.status().node().ring())
        .column("node", row -> row.status().node().name())
        .whole()
        .column("state", row -> row.status().node().state().text())
        .column("received_per_s", "received/s", TopRow::receivedPerSecond, Sizes::tenths)
        .jsonOnly("received_bytes_per_s", TopRow::receivedBytesPerSecond)
        .shownOnly("received B/s", row -> bytes(row.receivedBytesPerSecond()))
        .column("sent_per_s", "sent/s", TopRow::sentPerSecond, Sizes::tenths)
        .jsonOnly("sent_bytes_per_s", TopRow::sentBytesPerSecond)
        .shownOnly("sent B/s", row -> bytes(row.sentBytesPerSecond()))
        .column("lost_per_s", "lost/s", TopRow::lostPerSecond, Sizes::tenths)
        .column("repaired_per_s", "repaired/s", TopRow::repairedPerSecond, Sizes::tenths)
        .column("hop_p50_ns", "hop p50", row -> hop(row, true), Sizes::nanos)
        .column("hop_p99_ns", "hop p99", row -> hop(row, false), Sizes::nanos)
        .column("error", "last error", row -> NodeRows.error(row.status().node()), Table::plain);
  }

  private static String bytes(double perSecond) {
    return Sizes.bytes(Math.round(perSecond));
  }

  private static Long hop(TopRow row, boolean half) {
    return row.status().hop().map(half ? HopTimes::p50Ns : HopTimes::p99Ns).orElse(null);
  }
}
