package io.isle.net.xdp.net;

import io.isle.api.net.NetCounter;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of the frames that each app has published, since the app is attached. Belongs to the
 * executor of the nets.
 */
final class LinkCounters {
  private static final String GROUP = "app_tx";
  private static final int FIRST = TileState.TX_PASSED;
  private static final int WORDS = TileState.TX_DROPS - FIRST + TxDrop.values().length;

  private final String net;
  private final List<TilePart> parts;

  /** The words of each tile at the begin: the slot of an app has the counts of earlier apps. */
  private final Map<AppLinks, List<long[]>> begins = new LinkedHashMap<>();

  LinkCounters(String net, List<TilePart> parts) {
    this.net = net;
    this.parts = parts;
  }

  void begin(AppLinks links) {
    begins.put(links, parts.stream().map(part -> words(part, links)).toList());
  }

  void end(AppLinks links) {
    begins.remove(links);
  }

  private static long[] words(TilePart part, AppLinks links) {
    long[] words = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = part.words().get(TileState.link(links.place().slot(), FIRST + i));
    }
    return words;
  }

  List<NetCounter> rows() {
    List<NetCounter> rows = new ArrayList<>();
    begins.forEach(
        (links, begin) -> {
          for (int tile = 0; tile < parts.size(); tile++) {
            long[] now = words(parts.get(tile), links);
            for (int i = 0; i < WORDS; i++) {
              now[i] -= begin.get(tile)[i];
            }
            add(rows, tile, links.app(), now);
          }
        });
    return rows;
  }

  private void add(List<NetCounter> rows, int tile, String app, long[] values) {
    long seen = 0;
    for (long value : values) {
      seen += value;
    }
    rows.add(new NetCounter(net, tile, app, GROUP, "seen", seen));
    rows.add(new NetCounter(net, tile, app, GROUP, "passed", values[0]));
    rows.add(
        new NetCounter(net, tile, app, GROUP, "skipped", values[TileState.TX_SKIPPED - FIRST]));
    for (TxDrop reason : TxDrop.values()) {
      long value = values[TileState.TX_DROPS - FIRST + reason.ordinal()];
      rows.add(new NetCounter(net, tile, app, GROUP, reason.text(), value));
    }
  }
}
