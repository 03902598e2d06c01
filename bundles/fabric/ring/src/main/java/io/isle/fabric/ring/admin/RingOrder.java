package io.isle.fabric.ring.admin;

import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The order of nodes in their rings, as far as this platform has the nodes. Pure functions. */
public final class RingOrder {
  private static final Set<String> ALL_INTERFACES = Set.of("0.0.0.0", "[::]");

  private RingOrder() {}

  /** By ring; in a ring from the master on, along the links; else by name. */
  public static List<RingNodeInfo> of(List<RingNodeInfo> nodes) {
    Map<String, List<RingNodeInfo>> rings = new LinkedHashMap<>();
    nodes.stream()
        .sorted(
            Comparator.comparing(RingNodeInfo::ring)
                .thenComparing(node -> node.role() != RingRole.MASTER)
                .thenComparing(RingNodeInfo::name))
        .forEach(node -> rings.computeIfAbsent(node.ring(), any -> new ArrayList<>()).add(node));
    return rings.values().stream().flatMap(ring -> ordered(ring).stream()).toList();
  }

  /** Chains along the links: of the masters first, then of nodes that no other node connects to. */
  private static List<RingNodeInfo> ordered(List<RingNodeInfo> ring) {
    Set<RingNodeInfo> placed = new LinkedHashSet<>();
    ring.stream()
        .filter(node -> node.role() == RingRole.MASTER)
        .forEach(node -> follow(node, ring, placed));
    ring.stream()
        .filter(node -> ring.stream().noneMatch(other -> connects(other, node)))
        .forEach(node -> follow(node, ring, placed));
    ring.forEach(node -> follow(node, ring, placed));
    return List.copyOf(placed);
  }

  private static void follow(RingNodeInfo from, List<RingNodeInfo> ring, Set<RingNodeInfo> placed) {
    Optional<RingNodeInfo> node = Optional.of(from);
    while (node.isPresent() && placed.add(node.get())) {
      node = next(node.get(), ring);
    }
  }

  /** The node of this platform that {@code node} connects to, if any. */
  public static Optional<RingNodeInfo> next(RingNodeInfo node, List<RingNodeInfo> ring) {
    return ring.stream()
        .filter(other -> other.ring().equals(node.ring()) && connects(node, other))
        .findFirst();
  }

  private static boolean connects(RingNodeInfo from, RingNodeInfo to) {
    return from.next().addresses().stream().anyMatch(address -> listens(to.prev(), address));
  }

  private static boolean listens(LinkInfo link, String address) {
    return link.addresses().stream()
        .anyMatch(listen -> listen.equals(address) || meansAllInterfaces(listen, address));
  }

  /** Such as tcp://0.0.0.0:9999 for tcp://127.0.0.1:9999. */
  private static boolean meansAllInterfaces(String listen, String address) {
    int begin = listen.indexOf("://") + 3;
    int end = listen.lastIndexOf(':');
    return begin >= 3
        && end >= begin
        && ALL_INTERFACES.contains(listen.substring(begin, end))
        && address.startsWith(listen.substring(0, begin))
        && isLocal(address.substring(begin))
        && address.endsWith(listen.substring(end));
  }

  /** Another machine may have the same port: only the loopback interface is surely this one. */
  private static boolean isLocal(String place) {
    return place.startsWith("127.") || place.startsWith("localhost:") || place.startsWith("[::1]:");
  }
}
