package io.isle.fabric.ring.admin;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A move of links to other addresses, in two steps: links of dialect isle get new addresses beside
 * the old ones, and lose the old ones once new paths are up. Links of dialect leap have one path at
 * a time. Immutable.
 */
public final class RingMove {
  private static final String LISTEN = "listen";
  private static final String NEXT = "next";

  private final Map<String, Map<String, String>> changes;
  private final List<RingNodeInfo> before;

  /**
   * @param changes new addresses by name of the node, see {@link RingFiles#moved}
   * @param before all nodes before the move
   */
  public RingMove(Map<String, Map<String, String>> changes, List<RingNodeInfo> before) {
    this.changes = changes;
    this.before = List.copyOf(before);
  }

  /** Whether nothing moves. */
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Names of the changed nodes, sorted. */
  public List<String> nodes() {
    return changes.keySet().stream().sorted().toList();
  }

  private static Optional<RingNodeInfo> node(List<RingNodeInfo> all, String name) {
    return all.stream().filter(node -> node.name().equals(name)).findFirst();
  }

  /** Settings of the first step by name of the node. */
  public Map<String, Map<String, String>> begin() {
    Map<String, Map<String, String>> first = new TreeMap<>();
    changes.forEach(
        (name, change) -> {
          Map<String, String> one = new TreeMap<>(change);
          RingNodeInfo node = node(before, name).orElseThrow();
          if (change.containsKey(LISTEN) && node.prev().dialect() == Dialect.ISLE) {
            List<String> all = new ArrayList<>(node.prev().addresses());
            all.add(change.get(LISTEN));
            one.put(LISTEN, String.join(",", all));
          }
          first.put(name, one);
        });
    return first;
  }

  /** Whether each link that moves has a new path. */
  public boolean isOver(List<RingNodeInfo> now) {
    return changes.entrySet().stream()
        .filter(change -> change.getValue().containsKey(NEXT))
        .allMatch(change -> hasMoved(change.getKey(), now));
  }

  private boolean hasMoved(String name, List<RingNodeInfo> now) {
    long paths = node(before, name).orElseThrow().next().counters().paths();
    return node(now, name)
        .map(RingNodeInfo::next)
        .filter(next -> next.state() == PortState.UP && next.counters().paths() > paths)
        .isPresent();
  }

  /**
   * Settings of the second step.
   *
   * @throws RingException ETIMEDOUT with the reason of a link that has not moved: both addresses
   *     stay
   */
  public Map<String, Map<String, String>> end(List<RingNodeInfo> now) {
    for (Map.Entry<String, Map<String, String>> change : changes.entrySet()) {
      String name = change.getKey();
      if (change.getValue().containsKey(NEXT) && !hasMoved(name, now)) {
        throw new RingException(
            Errno.ETIMEDOUT,
            name
                + ": no path came up at "
                + change.getValue().get(NEXT)
                + ": "
                + node(now, name).map(RingNodeInfo::links).orElse("the node was removed"));
      }
    }
    Map<String, Map<String, String>> last = new TreeMap<>();
    changes.forEach(
        (name, change) -> {
          String listen = change.get(LISTEN);
          if (listen != null && !Objects.equals(List.of(listen), addresses(name, now))) {
            last.put(name, Map.of(LISTEN, listen));
          }
        });
    return last;
  }

  private static List<String> addresses(String name, List<RingNodeInfo> now) {
    return node(now, name).map(node -> node.prev().addresses()).orElse(List.of());
  }
}
