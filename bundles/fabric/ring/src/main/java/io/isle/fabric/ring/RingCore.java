package io.isle.fabric.ring;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.admin.NodeCheck;
import io.isle.fabric.ring.admin.NodeFiles;
import io.isle.fabric.ring.admin.RingOrder;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.node.RingNode;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;

/** The nodes of the platform. All changes run on one thread, in their order. Thread-safe. */
final class RingCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RingCore.class.getName());
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(60), what -> what + ": the rings are stopped", RingException::new);

  private final NodeFiles files;
  private final CounterTotals totals;
  private final FailureSink sink;
  private final SerialExecutor executor = new SerialExecutor("isle-rings");
  private final FabricAgent agent;
  private final Map<String, RingNode> nodes = new ConcurrentSkipListMap<>();

  /** Of the executor. */
  private final Map<String, RingTransport> transports = new HashMap<>();

  private final Map<String, RingStage> stages = new HashMap<>();
  private final Map<String, String> refused = new TreeMap<>();

  /**
   * @param sink receives news of failed nodes
   */
  RingCore(ConfigFiles files, CounterTotals totals, FailureSink sink) {
    this.files = new NodeFiles(files);
    this.totals = totals;
    this.sink = sink;
    agent = new FabricAgent(() -> post(() -> nodes.values().forEach(RingNode::notifyListeners)));
  }

  private void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  private <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  /** The end of a service; after the end of the rings, nothing of the service is left here. */
  private void leave(String what, Callable<Void> work) {
    try {
      Void ignored = call(what, work);
    } catch (RingException e) {
      if (e.code() != Errno.ECLOSED) {
        throw e;
      }
    }
  }

  /** The files may have changed. */
  void filesChanged() {
    post(this::refresh);
  }

  private void refresh() {
    Map<String, Map<String, String>> now;
    try {
      now = files.all();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the settings of ring nodes cannot be read; the last good settings stay in force",
          e);
      return;
    }
    nodes.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .toList()
        .forEach(
            name -> {
              close(name);
              totals.forget(name);
            });
    refused.keySet().retainAll(now.keySet());
    now.forEach(this::apply);
  }

  private void close(String name) {
    RingNode node = nodes.remove(name);
    if (node != null) {
      node.close();
      totals.keep(node.info());
    }
  }

  /** A bad value leaves the settings of before in force, as a whole. */
  private void apply(String name, Map<String, String> given) {
    try {
      NodeSettings settings = NodeFiles.checked(name, given);
      refused.remove(name);
      apply(name, settings);
    } catch (RingException e) {
      if (!e.getMessage().equals(refused.put(name, e.getMessage()))) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}-{1}.cfg: {2}; {3}",
            NodeSettings.FACTORY_PID,
            name,
            e.getMessage(),
            nodes.containsKey(name)
                ? "the last good settings stay in force"
                : "there is no node " + name);
      }
    }
  }

  private void apply(String name, NodeSettings settings) {
    RingNode node = nodes.get(name);
    if (node != null && node.settings().equals(settings)) {
      return;
    }
    if (node != null && node.canChangeTo(settings)) {
      node.change(settings, transports::get);
      return;
    }
    close(name);
    RingNode made = new RingNode(name, settings, agent, sink);
    nodes.put(name, made);
    stages.forEach(made::use);
    transports.forEach(made::attach);
  }

  /** A transport has come; one of the same name is an earlier version and is not used any more. */
  void add(String name, RingTransport transport) {
    post(
        () -> {
          RingTransport before = transports.put(name, transport);
          if (before != null) {
            nodes.values().forEach(node -> node.detach(name));
          }
          nodes.values().forEach(node -> node.attach(name, transport));
        });
  }

  /** A transport goes; its ports are parked when the call returns. */
  void remove(String name, RingTransport transport) {
    leave(
        "the end of transport " + name,
        () -> {
          if (transports.remove(name, transport)) {
            nodes.values().forEach(node -> park(node, name));
          }
          return null;
        });
  }

  private void park(RingNode node, String transport) {
    if (node.detach(transport)) {
      Duration wait = Duration.ofNanos(node.settings().waits().parkNs());
      var ignored =
          executor.after(
              wait,
              () -> {
                if (!transports.containsKey(transport)) {
                  node.dropParked(transport);
                }
              });
    }
  }

  void add(String name, RingStage stage) {
    post(
        () -> {
          stages.put(name, stage);
          nodes.values().forEach(node -> node.use(name, stage));
        });
  }

  /** A stage goes; no call of it runs when the call returns. */
  void remove(String name, RingStage stage) {
    leave(
        "the end of stage " + name,
        () -> {
          if (stages.remove(name, stage)) {
            nodes.values().forEach(node -> node.use(name, null));
          }
          return null;
        });
  }

  /** All nodes, in the order of their rings. */
  List<RingNodeInfo> infos() {
    return RingOrder.of(nodes.values().stream().map(RingNode::info).toList());
  }

  Optional<RingNode> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  void revoked() {
    nodes.values().forEach(RingNode::revoked);
  }

  /** Writes the settings of new nodes, all or none. */
  void create(Map<String, Map<String, String>> given) {
    call(
        "create " + String.join(", ", given.keySet()),
        () -> {
          files.create(given);
          refresh();
          return null;
        });
  }

  /** Changes settings of nodes, all or none. */
  void set(Map<String, Map<String, String>> changes) {
    call(
        "set " + String.join(", ", changes.keySet()),
        () -> {
          files.set(changes);
          refresh();
          return null;
        });
  }

  /** Removes a node with its file. */
  boolean remove(String name) {
    return call(
        "remove " + name,
        () -> {
          boolean deleted = files.remove(name);
          refresh();
          return deleted;
        });
  }

  List<String> transports() {
    return call("list transports", () -> transports.keySet().stream().sorted().toList());
  }

  List<RingCounter> counters() {
    return totals.of(infos());
  }

  /** The preflight of a node. */
  List<RingFinding> check(String name) {
    record State(String refused, Set<String> transports) {}
    State now =
        call("check " + name, () -> new State(refused.get(name), Set.copyOf(transports.keySet())));
    RingNode node = nodes.get(name);
    List<RingFinding> findings = new ArrayList<>();
    if (now.refused() != null) {
      findings.add(NodeCheck.refused(name, now.refused(), node != null));
    } else if (node == null) {
      throw NodeFiles.missing(name);
    }
    if (node != null) {
      findings.addAll(new NodeCheck(node.info(), infos(), now.transports(), node::failure).run());
    }
    return findings;
  }

  /** Ends all nodes. */
  @Override
  public void close() {
    call(
        "the end of the rings",
        () -> {
          List.copyOf(nodes.keySet()).forEach(this::close);
          return null;
        });
    executor.close();
    agent.close();
  }
}
