package io.isle.fabric.ring;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.api.fabric.RingProcess;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.fabric.ring.admin.RingFiles;
import io.isle.fabric.ring.admin.RingMove;
import io.isle.fabric.ring.node.Node;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Records each change of nodes with its actor and its outcome. */
final class AuditedRings implements RingAdmin {
  private static final long LOOK_MS = 10;

  /** Longer than a link tries to move. */
  private static final long MOVE_NS = TimeUnit.SECONDS.toNanos(6);

  private final RingCore core;
  private final AuditTrail trail;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedRings(RingCore core, Supplier<Audit> audit) {
    this.core = core;
    trail = new AuditTrail(audit, RingException::new);
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return core.infos();
  }

  @Override
  public Optional<RingNodeInfo> find(String node) {
    return core.find(node).map(Node::info);
  }

  @Override
  public List<String> keys() {
    return NodeSettings.keys();
  }

  @Override
  public List<String> transports() {
    return core.transports();
  }

  @Override
  public List<RingFinding> check(String node) {
    return core.check(node);
  }

  @Override
  public Optional<HopTimes> hop(String node) {
    return core.find(node).flatMap(Node::hop);
  }

  @Override
  public Optional<RingProcess> process(String node) {
    return core.find(node).flatMap(Node::process);
  }

  @Override
  public List<RingCounter> counters() {
    return core.counters();
  }

  @Override
  public void create(Map<String, Map<String, String>> nodes) {
    trail.run(event("create", nodes).detail(text(nodes)), () -> core.create(nodes));
  }

  @Override
  public List<String> create(RingPlan plan) {
    create(RingFiles.of(plan, core.infos(), core.transports()));
    return plan.names();
  }

  @Override
  public List<String> move(String name, String transport) throws InterruptedException {
    List<RingNodeInfo> all = core.infos();
    RingMove move = new RingMove(RingFiles.moved(name, transport, all, core.transports()), all);
    if (move.isEmpty()) {
      return List.of();
    }
    set(move.begin());
    awaitPaths(move);
    Map<String, Map<String, String>> last = move.end(core.infos());
    if (!last.isEmpty()) {
      set(last);
    }
    return move.nodes();
  }

  /** Old addresses stay until new paths are up: so no neighbour takes the move for a failure. */
  private void awaitPaths(RingMove move) throws InterruptedException {
    long end = System.nanoTime() + MOVE_NS;
    while (!move.isOver(core.infos()) && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  @Override
  public List<RingNodeInfo> await(List<String> nodes, long timeoutNs) throws InterruptedException {
    long end = System.nanoTime() + timeoutNs;
    while (true) {
      List<RingNodeInfo> now =
          core.infos().stream().filter(node -> nodes.contains(node.name())).toList();
      boolean settled =
          now.stream().allMatch(node -> node.isReady() || node.state() == NodeState.FAILED);
      if (settled || System.nanoTime() - end >= 0) {
        return now;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  @Override
  public void set(Map<String, Map<String, String>> changes) {
    trail.run(event("set", changes).detail(text(changes)), () -> core.set(changes));
  }

  @Override
  public void create(String node, Map<String, String> settings) {
    String text = new TreeMap<>(settings).toString();
    trail.run(event("create", node).detail(text), () -> core.create(Map.of(node, settings)));
  }

  @Override
  public void set(String node, Map<String, String> changes) {
    String text = new TreeMap<>(changes).toString();
    trail.run(event("set", node).detail(text), () -> core.set(Map.of(node, changes)));
  }

  @Override
  public boolean remove(String node) {
    return core.has(node)
        && trail.recorded(event("remove", node), () -> core.remove(node), any -> node);
  }

  private static AuditEvent event(String verb, Map<String, ?> nodes) {
    return event(verb, String.join(" ", new TreeMap<>(nodes).keySet()));
  }

  private static String text(Map<String, Map<String, String>> nodes) {
    Map<String, Map<String, String>> sorted = new TreeMap<>();
    nodes.forEach((node, settings) -> sorted.put(node, new TreeMap<>(settings)));
    return sorted.toString();
  }

  private static AuditEvent event(String verb, String node) {
    return AuditEvent.of(Actor.current(), "ring." + verb).object(node);
  }
}
