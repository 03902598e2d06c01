package io.isle.faces.shell.ring;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.Services;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The nodes of all rings in their order, those of other platforms included. */
final class StatusRows {
  private final Function<String, Optional<HopTimes>> hop;

  private StatusRows(Function<String, Optional<HopTimes>> hop) {
    this.hop = hop;
  }

  /**
   * The nodes with this name or of the ring with this name; all for null.
   *
   * @throws io.isle.faces.shell.ShellException if there is none
   */
  static List<StatusRow> named(Services services, String name) {
    List<StatusRow> all = services.with(RingAdmin.class, StatusRows::all);
    if (name == null) {
      return all;
    }
    List<StatusRow> found = all.stream().filter(row -> row.name().equals(name)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(row -> row.ring().equals(name)).toList();
    }
    if (found.isEmpty()) {
      throw NodeRows.unknown(name, services.with(RingAdmin.class, RingAdmin::nodes));
    }
    return found;
  }

  /** All nodes. */
  static List<StatusRow> all(RingAdmin admin) {
    Map<String, List<RingNodeInfo>> rings = new LinkedHashMap<>();
    admin
        .nodes()
        .forEach(node -> rings.computeIfAbsent(node.ring(), any -> new ArrayList<>()).add(node));
    StatusRows rows = new StatusRows(admin::hop);
    return rings.values().stream().flatMap(ring -> rows.ring(ring).stream()).toList();
  }

  private List<StatusRow> ring(List<RingNodeInfo> here) {
    Map<String, RingNodeInfo> nodes = byName(here, RingNodeInfo::name);
    Map<String, RingMember> members = new LinkedHashMap<>();
    Map<String, NodeFailure> failures = new LinkedHashMap<>();
    for (RingNodeInfo node : here) {
      fromMaster(node.health().members()).forEach(one -> members.putIfAbsent(one.node(), one));
      node.health().lasting().forEach(one -> failures.putIfAbsent(one.node(), one));
    }
    Set<String> names = new LinkedHashSet<>(members.keySet());
    names.addAll(nodes.keySet());
    names.addAll(failures.keySet());
    String ring = here.getFirst().ring();
    return names.stream()
        .map(
            name ->
                new StatusRow(
                    ring,
                    name,
                    Optional.ofNullable(nodes.get(name)),
                    Optional.ofNullable(members.get(name)),
                    nodes.containsKey(name) ? hop.apply(name) : Optional.empty(),
                    Optional.ofNullable(failures.get(name))))
        .toList();
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    Map<String, T> found = new LinkedHashMap<>();
    all.forEach(one -> found.put(name.apply(one), one));
    return found;
  }

  /** A roll ends with its master; a table begins with the master. */
  private static List<RingMember> fromMaster(List<RingMember> roll) {
    List<RingMember> order = new ArrayList<>(roll);
    if (!order.isEmpty()) {
      order.addFirst(order.removeLast());
    }
    return order;
  }
}
