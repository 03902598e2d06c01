package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.faces.shell.Services;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes at one time.
 *
 * @param atNs CLOCK_MONOTONIC
 * @param counters by name, node and side; they do not begin again when a node is changed
 */
record TopReading(long atNs, List<StatusRow> nodes, Map<String, Long> counters) {
  static TopReading of(Services services) {
    return services.with(
        RingAdmin.class,
        admin -> {
          Map<String, Long> counters = new HashMap<>();
          for (RingCounter one : admin.counters()) {
            String side = one.side().map(given -> given.text()).orElse("");
            counters.put(key(one.name(), one.node(), side), one.value());
          }
          return new TopReading(System.nanoTime(), StatusRows.all(admin), counters);
        });
  }

  private static String key(String name, String node, String side) {
    return name + " " + node + " " + side;
  }

  /** A counter of a link; 0 if the node was not there. */
  long counter(String name, String node, String side) {
    return counters.getOrDefault(key("isle_ring_" + name + "_total", node, side), 0L);
  }
}
