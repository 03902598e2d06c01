package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.NetCounter;
import io.isle.api.observe.Metric;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TxDrop;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every counter of a net that runs is a metric. */
@Timeout(120)
class NetMetricsTest extends NetFixture {
  private double value(String name, Map<String, String> labels) {
    return core.metrics().stream()
        .filter(one -> one.name().equals(name))
        .filter(one -> one.labels().entrySet().containsAll(labels.entrySet()))
        .mapToDouble(Metric::value)
        .sum();
  }

  @Test
  void countersAreMetricsWithTheirLabels() throws IOException {
    core.create("n", settings());
    assertEquals(1, value("isle_net_up", Map.of("net", "n")));
    app("count", "drop", "own");
    running();
    until(() -> app("count").running());
    try (DatagramSocket client = client()) {
      for (int i = 0; i < 5; i++) {
        client.send(packet(i, PORT));
      }
    }
    until(() -> app("count").received() == 5);
    Map<String, String> passed = Map.of("net", "n", "tile", "0", "outcome", "passed");
    assertEquals(5, value("isle_net_rx_frames_total", passed));
    assertEquals(5, value("isle_net_rx_seen_total", Map.of("net", "n", "tile", "0")));
    Map<String, String> app = Map.of("net", "n", "app", "count", "outcome", "passed");
    assertEquals(5, value("isle_net_app_rx_frames_total", app));
    assertTrue(value("isle_net_tile_opened_total", Map.of("tile", "0")) >= 1);
    assertTrue(value("isle_net_tile_seconds_total", Map.of("net", "n")) > 0);
    List<Metric> all = core.metrics();
    Set<String> identities = all.stream().map(NetMetricsTest::identity).collect(Collectors.toSet());
    assertEquals(all.size(), identities.size());
    long figures = all.stream().filter(one -> one.kind() == Metric.Kind.COUNTER).count();
    assertEquals(core.counters("n").size(), figures);
    assertTrue(
        all.stream()
            .filter(one -> one.kind() == Metric.Kind.COUNTER)
            .allMatch(one -> one.name().endsWith("_total")));
  }

  private static String identity(Metric one) {
    return one.name() + one.labels();
  }

  @Test
  void reasonsHaveTheirNames() {
    core.create("n", settings());
    running();
    assertEquals(
        Set.of(
            "undersize",
            "not_ipv4",
            "bad_ihl",
            "not_udp",
            "bad_udp_length",
            "fragment",
            "multicast_source",
            "no_app",
            "checksum",
            "invalid"),
        names("rx", "seen", "passed"));
    assertEquals(RxDrop.values().length, names("rx", "seen", "passed").size());
    assertEquals(
        Set.of(
            "no_route",
            "route_type",
            "interface",
            "no_source",
            "no_neighbor",
            "ring_full",
            "invalid",
            "overrun"),
        names("tx", "sent", "passed", "skipped"));
    assertEquals(TxDrop.values().length, names("tx", "sent", "passed", "skipped").size());
    assertEquals(
        Set.of(
            "ring_full",
            "fill_ring_empty",
            "other",
            "rx_invalid_descs",
            "tx_invalid_descs",
            "tx_empty"),
        names("kernel"));
    assertEquals(Set.of("rx", "tx", "failed"), names("wake"));
  }

  private Set<String> names(String group, String... without) {
    Set<String> names =
        core.counters("n").stream()
            .filter(one -> one.group().equals(group))
            .map(NetCounter::name)
            .collect(Collectors.toCollection(TreeSet::new));
    names.removeAll(Set.of(without));
    return names;
  }
}
