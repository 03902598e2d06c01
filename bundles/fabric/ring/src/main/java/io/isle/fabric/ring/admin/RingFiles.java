package io.isle.fabric.ring.admin;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings of the nodes of a ring: of a new ring, and of a ring that moves. Pure functions. */
public final class RingFiles {
  private RingFiles() {}

  /**
   * Settings of a new ring by name of the node.
   *
   * @param all nodes of this platform
   * @param transports names of the installed transports
   */
  public static Map<String, Map<String, String>> of(
      RingPlan plan, List<RingNodeInfo> all, List<String> transports) {
    checkTransport(plan.transport(), transports);
    if (all.stream().anyMatch(node -> node.ring().equals(plan.name()))) {
      throw new RingException(
          Errno.EEXIST,
          "ring "
              + plan.name()
              + " exists already; choose another name, or ring:remove "
              + plan.name());
    }
    List<String> addresses = Addresses.of(plan.transport(), plan.names(), all);
    Map<String, Map<String, String>> files = new LinkedHashMap<>();
    for (int i = 0; i < plan.nodes(); i++) {
      Map<String, String> one = new LinkedHashMap<>(plan.common());
      one.put("ring", plan.name());
      one.put("role", i == 0 ? "master" : i == plan.nodes() - 1 ? "tail" : "worker");
      one.put("layers", Integer.toString(plan.layers()));
      if (i > 0) {
        one.putAll(plan.workers());
        one.put("start", Integer.toString(plan.boundary(i)));
        one.put("end", Integer.toString(plan.boundary(i + 1)));
      }
      one.put("listen", addresses.get(i));
      one.put("next", addresses.get((i + 1) % plan.nodes()));
      files.put(plan.names().get(i), one);
    }
    return files;
  }

  private static void checkTransport(String transport, List<String> installed) {
    if (!installed.contains(transport)) {
      throw new RingException(
          Errno.EINVAL,
          "transport '"
              + transport
              + "' is not installed; the installed ones are "
              + String.join(", ", installed));
    }
  }

  /**
   * New addresses by name of the node, for links that move to another transport.
   *
   * @param name of a ring, or of the node whose link to its next node moves
   * @param all nodes of this platform
   * @param transports names of the installed transports
   * @return empty if all these links use the transport
   */
  public static Map<String, Map<String, String>> moved(
      String name, String transport, List<RingNodeInfo> all, List<String> transports) {
    checkTransport(transport, transports);
    List<RingNodeInfo> named = named(name, all);
    List<RingNodeInfo> moving = named.stream().filter(node -> !uses(node, transport)).toList();
    List<RingNodeInfo> next = new ArrayList<>();
    moving.forEach(node -> next.add(next(node, all)));
    List<String> addresses =
        Addresses.of(transport, next.stream().map(RingNodeInfo::name).toList(), all);
    Map<String, Map<String, String>> changes = new TreeMap<>();
    for (int i = 0; i < moving.size(); i++) {
      put(changes, moving.get(i), "next", addresses.get(i));
      put(changes, next.get(i), "listen", addresses.get(i));
    }
    return changes;
  }

  private static List<RingNodeInfo> named(String name, List<RingNodeInfo> all) {
    List<RingNodeInfo> nodes = all.stream().filter(node -> node.name().equals(name)).toList();
    if (nodes.isEmpty()) {
      nodes = all.stream().filter(node -> node.ring().equals(name)).toList();
    }
    if (nodes.isEmpty()) {
      throw NodeFiles.missing(name);
    }
    return nodes;
  }

  private static void put(
      Map<String, Map<String, String>> changes, RingNodeInfo node, String key, String value) {
    String before = changes.computeIfAbsent(node.name(), any -> new TreeMap<>()).put(key, value);
    if (before != null) {
      throw new RingException(
          Errno.EINVAL,
          node.name() + ": several nodes connect to it; correct next of one of them by ring:set");
    }
  }

  private static boolean uses(RingNodeInfo node, String transport) {
    return node.next().addresses().stream().allMatch(one -> one.startsWith(transport + "://"));
  }

  private static RingNodeInfo next(RingNodeInfo node, List<RingNodeInfo> all) {
    return all.stream()
        .filter(one -> one.ring().equals(node.ring()))
        .filter(one -> one.prev().addresses().stream().anyMatch(node.next().addresses()::contains))
        .findFirst()
        .orElseThrow(
            () ->
                new RingException(
                    Errno.ENOENT,
                    node.name()
                        + ": its next node is not on this platform; set listen there, then"
                        + " ring:set "
                        + node.name()
                        + " next=ADDRESS"));
  }
}
