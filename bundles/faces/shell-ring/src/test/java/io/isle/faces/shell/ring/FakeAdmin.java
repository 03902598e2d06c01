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
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Nodes that run as soon as they are made, by settings in memory. */
final class FakeAdmin implements RingAdmin {
  final Map<String, RingNodeInfo> nodes = new LinkedHashMap<>();
  final Map<String, Map<String, String>> settings = new LinkedHashMap<>();
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
