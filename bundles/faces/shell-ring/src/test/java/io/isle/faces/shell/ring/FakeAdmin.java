package io.isle.faces.shell.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Nodes that run as soon as they are made, by settings in memory. */
final class FakeAdmin implements RingAdmin {
  final Map<String, RingNodeInfo> nodes = new LinkedHashMap<>();
  final Map<String, Map<String, String>> settings = new LinkedHashMap<>();
  final List<String> moves = new ArrayList<>();
  final List<RingCounter> counters = new ArrayList<>();
  final Deque<List<RingFinding>> findings = new ArrayDeque<>();
  Optional<HopTimes> hop = Optional.empty();
  Optional<RingProcess> process = Optional.empty();

  FakeAdmin add(RingNodeInfo node) {
    nodes.put(node.name(), node);
    return this;
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return List.copyOf(nodes.values());
  }

  @Override
  public Optional<RingNodeInfo> find(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  @Override
  public void create(String node, Map<String, String> given) {
    settings.put(node, given);
    nodes.put(node, node(node, given));
  }

  @Override
  public void create(Map<String, Map<String, String>> all) {
    all.forEach(this::create);
  }

  @Override
  public List<String> create(RingPlan plan) {
    if (!transports().contains(plan.transport())) {
      throw new RingException(Errno.EINVAL, "transport: shm, tcp, udp");
    }
    for (int i = 0; i < plan.nodes(); i++) {
      Map<String, String> one = new HashMap<>(plan.common());
      one.putAll(
          Map.of(
              "ring",
              plan.name(),
              "role",
              i == 0 ? "master" : "tail",
              "layers",
              Integer.toString(plan.layers()),
              "start",
              Integer.toString(plan.boundary(i)),
              "end",
              Integer.toString(plan.boundary(i + 1)),
              "listen",
              plan.transport() + "://" + i,
              "next",
              plan.transport() + "://" + (i + 1) % plan.nodes()));
      if (i > 0) {
        one.putAll(plan.workers());
      }
      create(plan.names().get(i), one);
    }
    return plan.names();
  }

  @Override
  public List<String> move(String name, String transport) {
    moves.add(name + " " + transport);
    return transport.equals("tcp") ? List.of() : List.copyOf(nodes.keySet());
  }

  @Override
  public List<RingNodeInfo> await(List<String> names, long timeoutNs) {
    return nodes().stream().filter(node -> names.contains(node.name())).toList();
  }

  @Override
  public void set(Map<String, Map<String, String>> changes) {
    changes.forEach(this::set);
  }

  @Override
  public void set(String node, Map<String, String> changes) {
    Map<String, String> now = settings.get(node);
    if (now == null) {
      throw new RingException(Errno.ENOENT, "no node '" + node + "'");
    }
    changes.forEach(
        (key, value) -> {
          String before = value == null ? now.remove(key) : now.put(key, value);
          assert before == null || !before.isEmpty();
        });
    nodes.put(node, node(node, now));
  }

  @Override
  public boolean remove(String node) {
    return nodes.remove(node) != null;
  }

  @Override
  public List<String> keys() {
    return List.of("ring", "role", "next");
  }

  @Override
  public List<String> transports() {
    return List.of("shm", "tcp", "udp");
  }

  @Override
  public List<RingFinding> check(String node) {
    return findings.size() > 1 ? findings.remove() : findings.peek();
  }

  @Override
  public Optional<HopTimes> hop(String node) {
    return hop;
  }

  @Override
  public Optional<RingProcess> process(String node) {
    return process;
  }

  @Override
  public List<RingCounter> counters() {
    return counters;
  }

  private static RingNodeInfo node(String name, Map<String, String> given) {
    RingRole role = RingRole.valueOf(given.get("role").toUpperCase(Locale.ROOT));
    boolean works = role != RingRole.MASTER;
    return new RingNodeInfo(
        name,
        given.get("ring"),
        role,
        NodeState.RUNNING,
        "",
        8 + 4 * Integer.parseInt(given.get("dim")),
        Integer.parseInt(given.get("layers")),
        works
            ? Optional.of(
                new LayerRange(
                    Integer.parseInt(given.get("start")),
                    Integer.parseInt(given.get("end")),
                    role == RingRole.TAIL))
            : Optional.empty(),
        Optional.ofNullable(given.get("stage")),
        link(RingSide.PREV, given.get("listen")),
        link(RingSide.NEXT, given.get("next")),
        0,
        0,
        0);
  }

  private static LinkInfo link(RingSide side, String address) {
    return new LinkInfo(
        side,
        Dialect.LEAP,
        List.of(address),
        PortState.UP,
        "",
        Optional.empty(),
        List.of(),
        Nodes.NONE);
  }
}
