package io.isle.fabric.ring.admin;

import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingSide;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Counters of nodes beyond the ends of their objects: what a node of other settings or an earlier
 * version of the bundle has counted goes on. Thread-safe.
 */
public final class CounterTotals {
  private static final String PREFIX = "isle_ring_";
  private static final String SUFFIX = "_total";
  private static final Map<String, ToLongFunction<LinkCounters>> LINKS = new TreeMap<>();
  private static final Map<String, ToLongFunction<RingNodeInfo>> NODES = new TreeMap<>();

  static {
    LINKS.put("frames_sent", LinkCounters::framesSent);
    LINKS.put("bytes_sent", LinkCounters::bytesSent);
    LINKS.put("frames_received", LinkCounters::framesReceived);
    LINKS.put("bytes_received", LinkCounters::bytesReceived);
    LINKS.put("lost", LinkCounters::lost);
    LINKS.put("repaired", LinkCounters::repaired);
    LINKS.put("duplicates", LinkCounters::duplicates);
    LINKS.put("stale", LinkCounters::stale);
    LINKS.put("malformed", LinkCounters::malformed);
    LINKS.put("foreign", LinkCounters::foreign);
    LINKS.put("strays", LinkCounters::strays);
    LINKS.put("cut", LinkCounters::cut);
    LINKS.put("paths", LinkCounters::paths);
    NODES.put("dropped", RingNodeInfo::dropped);
    NODES.put("resizes", RingNodeInfo::resizes);
    NODES.put("failures", node -> node.health().failed());
    NODES.put("rejoins", node -> node.health().rejoins());
    NODES.put("rolls", node -> node.health().rolls());
    NODES.put("notices", node -> node.health().notices());
    NODES.put("notices_dropped", node -> node.health().dropped());
  }

  /** By node, then by the key of a counter: its side, a blank and its name. */
  private final Map<String, Map<String, Long>> ended = new TreeMap<>();

  /** The object of a node ends: its counters are kept. */
  public synchronized void keep(RingNodeInfo node) {
    Map<String, Long> kept = ended.computeIfAbsent(node.name(), any -> new TreeMap<>());
    now(node).forEach((key, value) -> kept.merge(key, value, Long::sum));
  }

  /** A node is removed: another one of its name begins at 0. */
  public synchronized void forget(String node) {
    ended.remove(node);
  }

  /** All counters of nodes. */
  public synchronized List<RingCounter> of(List<RingNodeInfo> nodes) {
    List<RingCounter> all = new ArrayList<>();
    for (RingNodeInfo node : nodes) {
      Map<String, Long> kept = ended.getOrDefault(node.name(), Map.of());
      now(node)
          .forEach(
              (key, value) -> {
                int end = key.indexOf(' ');
                Optional<RingSide> side =
                    List.of(RingSide.values()).stream()
                        .filter(one -> one.text().equals(key.substring(0, end)))
                        .findFirst();
                all.add(
                    new RingCounter(
                        PREFIX + key.substring(end + 1) + SUFFIX,
                        node.ring(),
                        node.name(),
                        side,
                        value + kept.getOrDefault(key, 0L)));
              });
    }
    return all;
  }

  private static Map<String, Long> now(RingNodeInfo node) {
    Map<String, Long> values = new TreeMap<>();
    NODES.forEach((name, value) -> values.put(" " + name, value.applyAsLong(node)));
    for (LinkInfo link : List.of(node.prev(), node.next())) {
      LINKS.forEach(
          (name, value) ->
              values.put(link.side().text() + " " + name, value.applyAsLong(link.counters())));
    }
    return values;
  }

  /** The kept counters, a line each: node, side, name and value with tabs between them. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    ended.forEach(
        (node, counters) ->
            counters.forEach(
                (key, value) -> lines.add(node + '\t' + key.replace(' ', '\t') + '\t' + value)));
    return lines;
  }

  /**
   * Adds kept counters.
   *
   * @throws IllegalArgumentException for a line of another form; all lines before it are added
   */
  synchronized void add(List<String> lines) {
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      if (parts.length != 4 || !parts[0].matches(RingNodeInfo.NAME)) {
        throw new IllegalArgumentException("not node, side, name and value");
      }
      long value = Long.parseLong(parts[3]);
      ended
          .computeIfAbsent(parts[0], any -> new TreeMap<>())
          .merge(parts[1] + ' ' + parts[2], Math.max(0, value), Long::sum);
    }
  }
}
