package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetInfo;
import io.isle.api.net.TileInfo;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The traffic of a tile between two readings, in frames a second. */
record TopRow(NetInfo net, TileInfo tile, double seen, double passed, double dropped, double sent) {
  static List<TopRow> between(TopReading before, TopReading now) {
    double seconds = Math.max(1, now.atNs() - before.atNs()) / 1e9;
    List<TopRow> rows = new ArrayList<>();
    for (NetInfo net : now.nets()) {
      for (TileInfo tile : net.tiles()) {
        Optional<TileInfo> old =
            before.nets().stream()
                .filter(one -> one.name().equals(net.name()))
                .flatMap(one -> one.tiles().stream())
                .filter(one -> one.tile() == tile.tile())
                .findFirst();
        rows.add(
            new TopRow(
                net,
                tile,
                rate(old, tile, TileInfo::seen, seconds),
                rate(old, tile, TileInfo::passed, seconds),
                rate(old, tile, TileInfo::dropped, seconds),
                rate(old, tile, TileInfo::sent, seconds)));
      }
    }
    return rows;
  }

  private static double rate(
      Optional<TileInfo> old, TileInfo now, ToLongFunction<TileInfo> figure, double seconds) {
    long more = figure.applyAsLong(now) - old.map(figure::applyAsLong).orElse(0L);
    return Math.max(0, more) / seconds;
  }

  static Table<TopRow> table() {
    return new Table<TopRow>("No tiles; net:create makes a net.")
        .column("net", row -> row.net().name())
        .whole()
        .column("tile", row -> row.tile().tile())
        .column("state", row -> row.tile().running() ? "running" : "waiting")
        .column("seen_per_s", "seen/s", TopRow::seen, Sizes::tenths)
        .column("passed_per_s", "passed/s", TopRow::passed, Sizes::tenths)
        .column("dropped_per_s", "dropped/s", TopRow::dropped, Sizes::tenths)
        .column("sent_per_s", "sent/s", TopRow::sent, Sizes::tenths)
        .column("busy_percent", "busy %", row -> 100 * row.tile().busy(), Sizes::tenths);
  }
}
