package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A ring demo-0, demo-1, demo-2, whose paths come up at once, with a record of all changes.
 * Thread-safe for processes.
 */
final class FakeRings implements RingAdmin {
  final List<String> calls = new ArrayList<>();
  final Map<String, Long> pids = new HashMap<>();
  final FakeRelays relays = new FakeRelays();
  private final Dialect dialect;
  private final Map<String, List<String>> listen = new LinkedHashMap<>();
  private final Map<String, String> next = new HashMap<>();
  private final Map<String, Long> paths = new HashMap<>();

  FakeRings(String transport, Dialect dialect) {
    this.dialect = dialect;
    for (int i = 0; i < 3; i++) {
      listen.put("demo-" + i, List.of(transport + "://" + i));
      next.put("demo-" + i, transport + "://" + (i + 1) % 3);
    }
  }

  /** Relays that pass a connection at once. */
  final class FakeRelays implements Impairments {
    final Map<String, Map<String, String>> made = new HashMap<>();

    @Override
    public List<ImpairmentInfo> relays() {
      return made.keySet().stream().map(name -> find(name).orElseThrow()).toList();
    }

    @Override
    public Optional<ImpairmentInfo> find(String relay) {
      return Optional.ofNullable(made.get(relay))
          .map(
              given ->
                  new ImpairmentInfo(
                      relay,
                      given.get("listen"),
                      given.get("to"),
                      true,
                      "",
                      1,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0));
    }

    @Override
    public void create(String relay, Map<String, String> settings) {
      made.put(relay, new HashMap<>(settings));
      calls.add("relay " + relay);
    }

    @Override
    public void set(String relay, Map<String, String> changes) {
      made.get(relay).putAll(changes);
      calls.add("relay " + relay + " " + new TreeMap<>(changes));
    }

    @Override
    public void cut(String relay) {
      calls.add("cut " + relay);
    }

    @Override
    public boolean remove(String relay) {
      calls.add("no relay " + relay);
      return made.remove(relay) != null;
    }
  }

  List<String> listen(String node) {
    return listen.get(node);
  }

  String next(String node) {
    return next.get(node);
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return listen.keySet().stream().map(this::info).toList();
  }

  @Override
  public Optional<RingNodeInfo> find(String node) {
    return listen.containsKey(node) ? Optional.of(info(node)) : Optional.empty();
  }

  private RingNodeInfo info(String node) {
    boolean master = node.endsWith("0");
    return new RingNodeInfo(
        node,
        "demo",
        master ? RingRole.MASTER : RingRole.WORKER,
        NodeState.RUNNING,
        "",
        16,
        3,
        master ? Optional.empty() : Optional.of(new LayerRange(1, 2, false)),
        master ? Optional.empty() : Optional.of("pass"),
        link(RingSide.PREV, listen.get(node), 0),
        link(RingSide.NEXT, List.of(next.get(node)), paths.getOrDefault(node, 1L)),
        0,
        0,
        0);
  }

  private LinkInfo link(RingSide side, List<String> addresses, long count) {
    LinkCounters counters = new LinkCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count);
    return new LinkInfo(
        side, dialect, addresses, PortState.UP, "", Optional.empty(), List.of(), counters);
  }

  @Override
  public void set(String node, Map<String, String> changes) {
    changes.forEach(
        (key, value) -> {
          calls.add(node + " " + key);
          if (key.equals("next")) {
            next.put(node, value);
            paths.put(node, paths.getOrDefault(node, 1L) + 1);
          } else {
            listen.put(node, List.of(value.split(",", -1)));
          }
        });
  }

  @Override
  public List<String> move(String name, String transport) {
    calls.add("move " + name + " " + transport);
    return List.of(name);
  }

  @Override
  public synchronized Optional<RingProcess> process(String node) {
    return Optional.ofNullable(pids.get(node))
        .map(pid -> new RingProcess(OptionalLong.of(pid), 1, ""));
  }

  private static RingException unused() {
    return new RingException(Errno.ENOTSUP, "no event of a job uses this call");
  }

  @Override
  public void create(String node, Map<String, String> settings) {
    throw unused();
  }

  @Override
  public void create(Map<String, Map<String, String>> nodes) {
    throw unused();
  }

  @Override
  public List<String> create(RingPlan plan) {
    throw unused();
  }

  @Override
  public List<RingNodeInfo> await(List<String> nodes, long timeoutNs) {
    throw unused();
  }

  @Override
  public void set(Map<String, Map<String, String>> changes) {
    throw unused();
  }

  @Override
  public boolean remove(String node) {
    throw unused();
  }

  @Override
  public List<String> keys() {
    throw unused();
  }

  @Override
  public List<String> transports() {
    throw unused();
  }

  @Override
  public List<RingFinding> check(String node) {
    throw unused();
  }

  @Override
  public Optional<HopTimes> hop(String node) {
    throw unused();
  }

  @Override
  public List<RingCounter> counters() {
    throw unused();
  }
}
