package io.isle.net.xdp.net;

import io.isle.api.net.NetCounter;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counters of tiles with their names. */
final class Counters {
  /** The kernel's figures of a socket, in the order of struct xdp_statistics. */
  private static final List<String> KERNEL =
      List.of(
          "other",
          "rx_invalid_descs",
          "tx_invalid_descs",
          "ring_full",
          "fill_ring_empty",
          "tx_empty");

  private static final int OTHER = 0;
  private static final int FILL_EMPTY = 4;

  private final String net;
  private final int tile;
  private final TileState state;
  private final List<NetCounter> rows = new ArrayList<>();

  private Counters(String net, int tile, TileState state) {
    this.net = net;
    this.tile = tile;
    this.state = state;
  }

  static List<NetCounter> of(String net, OpenNet open) {
    List<NetCounter> all = new ArrayList<>();
    open.file().ifPresent(file -> all.addAll(files(net, file)));
    for (int tile = 0; tile < open.parts().size(); tile++) {
      all.addAll(new Counters(net, tile, open.parts().get(tile).words()).read());
    }
    return all;
  }

  private static List<NetCounter> files(String net, FileMover file) {
    return List.of(
        new NetCounter(net, 0, "", "file", "read", file.framesRead()),
        new NetCounter(net, 0, "", "file", "others", file.framesOfOthers()),
        new NetCounter(net, 0, "", "file", "skipped", file.framesSkipped()),
        new NetCounter(net, 0, "", "file", "sent", file.framesSent()));
  }

  /** One row for what several instances of an app count. */
  static List<NetCounter> merged(List<NetCounter> rows) {
    Map<NetCounter, Long> sums = new LinkedHashMap<>();
    rows.forEach(one -> sums.merge(one.withValue(0), one.value(), Long::sum));
    return sums.entrySet().stream().map(one -> one.getKey().withValue(one.getValue())).toList();
  }

  private List<NetCounter> read() {
    add("rx", "seen", port(TileState.SEEN));
    add("rx", "passed", port(TileState.RX_PASSED));
    for (RxDrop reason : RxDrop.values()) {
      add("rx", reason.text(), port(TileState.RX_DROPS + reason.ordinal()));
    }
    for (int i = 0; i < TileState.KERNEL_WORDS; i++) {
      // the kernel counts a frame without an entry of FILL twice
      long twice = i == OTHER ? port(TileState.KERNEL + FILL_EMPTY) : 0;
      add("kernel", KERNEL.get(i), Math.max(0, port(TileState.KERNEL + i) - twice));
    }
    add("tx", "sent", port(TileState.SENT));
    add("tx", "passed", links(TileState.TX_PASSED));
    add("tx", "skipped", links(TileState.TX_SKIPPED));
    for (TxDrop reason : TxDrop.values()) {
      add("tx", reason.text(), links(TileState.TX_DROPS + reason.ordinal()));
    }
    add("wake", "rx", port(TileState.RX_WAKES));
    add("wake", "tx", port(TileState.TX_WAKES));
    add("wake", "failed", port(TileState.FAILED_WAKES));
    add("tile", "opened", state.get(TileState.tile(TileState.OPENED)));
    add("tile", "busy_ns", state.get(TileState.tile(TileState.BUSY_NS)));
    add("tile", "total_ns", state.get(TileState.tile(TileState.TOTAL_NS)));
    return rows;
  }

  private void add(String group, String name, long value) {
    rows.add(new NetCounter(net, tile, "", group, name, value));
  }

  /** Of the interface and the loopback. */
  private long port(int word) {
    long sum = 0;
    for (int port = 0; port < TileState.PORTS; port++) {
      sum += state.get(TileState.port(port, word));
    }
    return sum;
  }

  private long links(int word) {
    long sum = 0;
    for (int slot = 0; slot < TileState.TX_LINKS; slot++) {
      sum += state.get(TileState.link(slot, word));
    }
    return sum;
  }
}
