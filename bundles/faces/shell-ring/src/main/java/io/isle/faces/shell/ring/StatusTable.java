package io.isle.faces.shell.ring;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The columns of {@code ring:status}. */
final class StatusTable {
  private StatusTable() {}

  static Table<StatusRow> table() {
    Table<StatusRow> table =
        new Table<StatusRow>("No nodes of rings; ring:create makes one.")
            .column("ring", StatusRow::ring)
            .column("node", StatusRow::name)
            .whole()
            .column("role", StatusRow::role)
            .column("state", StatusRow::state)
            .jsonOnly("local", row -> row.node().isPresent())
            .jsonOnly("address", StatusRow::address)
            .shownOnly("from", StatusTable::from)
            .shownOnly("to", StatusTable::to)
            .shownOnly("layers", StatusTable::layers)
            .jsonOnly("packet_bytes", of(RingNodeInfo::packetBytes))
            .jsonOnly("dim", of(NodeRows::dim))
            .jsonOnly("layers", of(RingNodeInfo::layers))
            .jsonOnly("start", range(LayerRange::start))
            .jsonOnly("end", range(LayerRange::end))
            .jsonOnly("tail", range(LayerRange::tail))
            .jsonOnly("stage", of(node -> node.stage().orElse(null)))
            .jsonOnly("position", of(RingNodeInfo::position))
            .jsonOnly("dropped", of(RingNodeInfo::dropped))
            .jsonOnly("resizes", of(RingNodeInfo::resizes))
            .column("hop_p50_ns", "hop p50", StatusRow::hopP50Ns, Sizes::nanos)
            .column("hop_p99_ns", "hop p99", StatusRow::hopP99Ns, Sizes::nanos)
            .column("lost", of(node -> sum(node, LinkCounters::lost)))
            .column("repaired", of(node -> sum(node, LinkCounters::repaired)))
            .column("error", "last error", StatusRow::error, Table::plain);
    failure(table);
    link(table, "prev_", RingNodeInfo::prev);
    link(table, "next_", RingNodeInfo::next);
    return table;
  }

  /** Such as {@code up tcp://127.0.0.1:9999}. */
  private static String path(LinkInfo link) {
    return link.state().text() + " " + NodeRows.addresses(link);
  }

  /** Of another platform, only the address that the node listens on is known. */
  private static String from(StatusRow row) {
    return row.node().map(node -> path(node.prev())).orElse(row.address());
  }

  private static String to(StatusRow row) {
    return row.node().map(node -> path(node.next())).orElse(null);
  }

  private static String layers(StatusRow row) {
    return row.node().map(NodeRows::layers).or(() -> row.range().map(NodeRows::words)).orElse(null);
  }

  /** Of both links. */
  private static long sum(RingNodeInfo node, ToLongFunction<LinkCounters> counter) {
    return counter.applyAsLong(node.prev().counters())
        + counter.applyAsLong(node.next().counters());
  }

  /** A field of nodes of this platform; null for others. */
  private static Function<StatusRow, Object> of(Function<RingNodeInfo, Object> field) {
    return row -> row.node().map(field).orElse(null);
  }

  private static Function<StatusRow, Object> range(Function<LayerRange, Object> field) {
    return row -> row.range().map(field).orElse(null);
  }

  private static void failure(Table<StatusRow> table) {
    failure(table, "failure", one -> one.cause().text());
    failure(table, "failure_reason", NodeFailure::reason);
    failure(table, "failure_remedy", NodeFailure::remedy);
    failure(table, "failure_frame", NodeFailure::frame);
    failure(table, "failure_silent_ns", NodeFailure::silentNs);
    failure(table, "failure_detected_ns", NodeFailure::detectedNs);
    failure(table, "failure_reporters", NodeFailure::reporters);
  }

  private static void failure(
      Table<StatusRow> table, String key, Function<NodeFailure, Object> field) {
    Table<StatusRow> ignored = table.jsonOnly(key, row -> row.failure().map(field).orElse(null));
  }

  private static void link(
      Table<StatusRow> table, String prefix, Function<RingNodeInfo, LinkInfo> side) {
    link(table, prefix + "state", side, link -> link.state().text());
    link(table, prefix + "addresses", side, LinkInfo::addresses);
    link(table, prefix + "dialect", side, link -> link.dialect().text());
    link(table, prefix + "reason", side, link -> orNull(link.reason()));
    link(table, prefix + "peer", side, link -> link.peer().orElse(null));
    link(table, prefix + "notes", side, LinkInfo::notes);
    counter(table, prefix + "frames_sent", side, LinkCounters::framesSent);
    counter(table, prefix + "bytes_sent", side, LinkCounters::bytesSent);
    counter(table, prefix + "frames_received", side, LinkCounters::framesReceived);
    counter(table, prefix + "bytes_received", side, LinkCounters::bytesReceived);
    counter(table, prefix + "lost", side, LinkCounters::lost);
    counter(table, prefix + "repaired", side, LinkCounters::repaired);
    counter(table, prefix + "duplicates", side, LinkCounters::duplicates);
    counter(table, prefix + "stale", side, LinkCounters::stale);
    counter(table, prefix + "malformed", side, LinkCounters::malformed);
    counter(table, prefix + "foreign", side, LinkCounters::foreign);
    counter(table, prefix + "strays", side, LinkCounters::strays);
    counter(table, prefix + "cut", side, LinkCounters::cut);
    counter(table, prefix + "paths", side, LinkCounters::paths);
  }

  private static void counter(
      Table<StatusRow> table,
      String key,
      Function<RingNodeInfo, LinkInfo> side,
      ToLongFunction<LinkCounters> counter) {
    link(table, key, side, link -> counter.applyAsLong(link.counters()));
  }

  private static void link(
      Table<StatusRow> table,
      String key,
      Function<RingNodeInfo, LinkInfo> side,
      Function<LinkInfo, Object> field) {
    Table<StatusRow> ignored =
        table.jsonOnly(key, row -> row.node().map(side).map(field).orElse(null));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
