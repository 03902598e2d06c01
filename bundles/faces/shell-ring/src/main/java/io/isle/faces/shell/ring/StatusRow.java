package io.isle.faces.shell.ring;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A node with all that is known of it.
 *
 * @param hop times of packets to the next node, if they are measured
 * @param process of its own, if it has one
 */
record StatusRow(RingNodeInfo node, Optional<HopTimes> hop, Optional<RingProcess> process) {
  static List<StatusRow> of(Services services, List<RingNodeInfo> nodes) {
    return services.with(
        RingAdmin.class,
        admin ->
            nodes.stream()
                .map(
                    node -> new StatusRow(node, admin.hop(node.name()), admin.process(node.name())))
                .toList());
  }

  static Table<StatusRow> table() {
    Table<StatusRow> table =
        new Table<StatusRow>("No nodes of rings; ring:create makes one.")
            .column("ring", row -> row.node().ring())
            .column("node", row -> row.node().name())
            .whole()
            .column("role", row -> row.node().role().text())
            .column("state", row -> row.node().state().text())
            .shownOnly("process", StatusRow::processWords)
            .jsonOnly("process", row -> row.process().isPresent() ? "own" : "shared")
            .jsonOnly("pid", StatusRow::pid)
            .jsonOnly("process_starts", row -> row.process().map(RingProcess::starts).orElse(null))
            .shownOnly("from", row -> path(row.node().prev()))
            .shownOnly("to", row -> path(row.node().next()))
            .shownOnly("layers", row -> NodeRows.layers(row.node()))
            .jsonOnly("packet_bytes", row -> row.node().packetBytes())
            .jsonOnly("dim", row -> NodeRows.dim(row.node()))
            .jsonOnly("layers", row -> row.node().layers())
            .jsonOnly("start", range(LayerRange::start))
            .jsonOnly("end", range(LayerRange::end))
            .jsonOnly("tail", range(LayerRange::tail))
            .jsonOnly("stage", row -> row.node().stage().orElse(null))
            .jsonOnly("position", row -> row.node().position())
            .jsonOnly("dropped", row -> row.node().dropped())
            .jsonOnly("resizes", row -> row.node().resizes())
            .column("hop_p50_ns", "hop p50", hop(HopTimes::p50Ns), Sizes::nanos)
            .column("hop_p99_ns", "hop p99", hop(HopTimes::p99Ns), Sizes::nanos)
            .column("lost", row -> sum(row.node(), LinkCounters::lost))
            .column("repaired", row -> sum(row.node(), LinkCounters::repaired))
            .column("error", "last error", row -> NodeRows.error(row.node()), Table::plain);
    link(table, "prev_", RingNodeInfo::prev);
    link(table, "next_", RingNodeInfo::next);
    return table;
  }

  /** Such as {@code own 4711}. */
  private static String processWords(StatusRow row) {
    return row.process().isEmpty() ? "shared" : "own " + (pid(row) == null ? "-" : pid(row));
  }

  private static Long pid(StatusRow row) {
    OptionalLong pid = row.process().map(RingProcess::pid).orElse(OptionalLong.empty());
    return pid.isPresent() ? (Long) pid.getAsLong() : null;
  }

  /** Such as {@code up tcp://127.0.0.1:9999}. */
  private static String path(LinkInfo link) {
    return link.state().text() + " " + NodeRows.addresses(link);
  }

  /** Of both links. */
  static long sum(RingNodeInfo node, ToLongFunction<LinkCounters> counter) {
    return counter.applyAsLong(node.prev().counters())
        + counter.applyAsLong(node.next().counters());
  }

  private static Function<StatusRow, Object> range(Function<LayerRange, Object> field) {
    return row -> row.node().range().map(field).orElse(null);
  }

  private static Function<StatusRow, Object> hop(Function<HopTimes, Object> field) {
    return row -> row.hop().map(field).orElse(null);
  }

  private static void link(
      Table<StatusRow> table, String prefix, Function<RingNodeInfo, LinkInfo> side) {
    Function<StatusRow, LinkInfo> link = row -> side.apply(row.node());
    table
        .jsonOnly(prefix + "state", row -> link.apply(row).state().text())
        .jsonOnly(prefix + "addresses", row -> link.apply(row).addresses())
        .jsonOnly(prefix + "dialect", row -> link.apply(row).dialect().text())
        .jsonOnly(prefix + "reason", row -> orNull(link.apply(row).reason()))
        .jsonOnly(prefix + "peer", row -> link.apply(row).peer().orElse(null))
        .jsonOnly(prefix + "notes", row -> link.apply(row).notes());
    counter(table, prefix + "frames_sent", link, LinkCounters::framesSent);
    counter(table, prefix + "bytes_sent", link, LinkCounters::bytesSent);
    counter(table, prefix + "frames_received", link, LinkCounters::framesReceived);
    counter(table, prefix + "bytes_received", link, LinkCounters::bytesReceived);
    counter(table, prefix + "lost", link, LinkCounters::lost);
    counter(table, prefix + "repaired", link, LinkCounters::repaired);
    counter(table, prefix + "duplicates", link, LinkCounters::duplicates);
    counter(table, prefix + "stale", link, LinkCounters::stale);
    counter(table, prefix + "malformed", link, LinkCounters::malformed);
    counter(table, prefix + "foreign", link, LinkCounters::foreign);
    counter(table, prefix + "strays", link, LinkCounters::strays);
    counter(table, prefix + "cut", link, LinkCounters::cut);
    counter(table, prefix + "paths", link, LinkCounters::paths);
  }

  private static void counter(
      Table<StatusRow> table,
      String key,
      Function<StatusRow, LinkInfo> link,
      ToLongFunction<LinkCounters> counter) {
    Table<StatusRow> ignored =
        table.jsonOnly(key, row -> counter.applyAsLong(link.apply(row).counters()));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
