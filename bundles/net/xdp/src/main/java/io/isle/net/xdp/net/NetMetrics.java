package io.isle.net.xdp.net;

import io.isle.api.net.NetCounter;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.api.net.TileInfo;
import io.isle.api.observe.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counters of nets as figures for monitoring. */
final class NetMetrics {
  private static final double SECOND_NS = 1e9;

  private final List<Metric> all = new ArrayList<>();

  private NetMetrics() {}

  static List<Metric> of(List<NetInfo> nets, List<NetCounter> counters) {
    NetMetrics metrics = new NetMetrics();
    nets.forEach(metrics::net);
    counters.forEach(metrics::counter);
    return metrics.all;
  }

  private void net(NetInfo net) {
    double up = net.state() == NetState.RUNNING || net.state() == NetState.ENDED ? 1 : 0;
    add("isle_net_up", Metric.Kind.GAUGE, "whether all tiles run", labels(net.name()), up);
    for (TileInfo tile : net.tiles()) {
      Map<String, String> labels = labels(net.name());
      labels.put("tile", Integer.toString(tile.tile()));
      add(
          "isle_net_tile_busy_ratio",
          Metric.Kind.GAUGE,
          "share of the time with work, since the net is open",
          labels,
          tile.busy());
    }
  }

  private static Map<String, String> labels(String net) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("net", net);
    return labels;
  }

  private void counter(NetCounter one) {
    switch (one.group()) {
      case "rx" -> outcome(one, "isle_net_rx", "received frames");
      case "tx" -> outcome(one, "isle_net_tx", "frames to send");
      case "app" -> outcome(one, "isle_net_app_rx", "frames for an app");
      case "app_tx" -> outcome(one, "isle_net_app_tx", "frames that an app has published");
      case "kernel" ->
          count(one, "isle_net_kernel_frames_total", "reason", "frames that the kernel refused");
      case "file" ->
          count(one, "isle_net_file_frames_total", "outcome", "frames of a capture file");
      case "wake" -> count(one, "isle_net_wakes_total", "direction", "calls that woke the kernel");
      case "kind" ->
          count(one, "isle_net_app_kind_total", "counter", "counters of the kind of an app");
      default -> tile(one);
    }
  }

  /** All frames have a counter of their own; the outcomes of one name have the same sum. */
  private void outcome(NetCounter one, String name, String help) {
    switch (one.name()) {
      case "seen" -> count(one, name + "_seen_total", "", help);
      case "sent" -> count(one, name.replace("_rx", "") + "_sent_total", "", "frames on their way");
      default -> count(one, name + "_frames_total", "outcome", help + " by their outcome");
    }
  }

  private void tile(NetCounter one) {
    switch (one.name()) {
      case "busy_ns" -> time(one, "isle_net_tile_busy_seconds_total", "time of a tile with work");
      case "total_ns" -> time(one, "isle_net_tile_seconds_total", "time of a tile");
      default -> count(one, "isle_net_tile_" + one.name() + "_total", "", "openings of a tile");
    }
  }

  private void time(NetCounter one, String name, String help) {
    add(name, Metric.Kind.COUNTER, help, labels(one), one.value() / SECOND_NS);
  }

  private static Map<String, String> labels(NetCounter one) {
    Map<String, String> labels = labels(one.net());
    if (one.tile() >= 0) {
      labels.put("tile", Integer.toString(one.tile()));
    }
    if (!one.app().isEmpty()) {
      labels.put("app", one.app());
    }
    return labels;
  }

  /**
   * Adds a counter.
   *
   * @param label that has the name of the counter; empty for none
   */
  private void count(NetCounter one, String name, String label, String help) {
    Map<String, String> labels = labels(one);
    if (!label.isEmpty()) {
      labels.put(label, one.name());
    }
    add(name, Metric.Kind.COUNTER, help, labels, one.value());
  }

  private void add(
      String name, Metric.Kind kind, String help, Map<String, String> labels, double value) {
    all.add(new Metric(name, kind, help, labels, value));
  }
}
