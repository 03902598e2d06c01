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
import io.isle.fabric.ring.node.Node;
import io.isle.fabric.ring.process.PartSource;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** The nodes of the platform. All changes run on one thread, in their order. Thread-safe. */
final class RingCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RingCore.class.getName());
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(60), what -> what + ": the rings are stopped", RingException::new);

  private final NodeFiles files;
  private final CounterTotals totals;
  private final SerialExecutor executor = new SerialExecutor("isle-rings");
  private final FabricAgent agent;
  private final NodeSet nodes;

  /**
   * @param parts of nodes in processes of their own
   * @param sink receives news of failed nodes
   */
  RingCore(ConfigFiles files, CounterTotals totals, PartSource parts, FailureSink sink) {
    this.totals = totals;
    agent = new FabricAgent(this::notifyListeners);
    nodes = new NodeSet(totals, parts, sink, executor, agent);
    this.files = new NodeFiles(files, nodes::requireUsable);
  }

  private void notifyListeners() {
    post(() -> nodes.all().forEach(Node::notifyListeners));
  }

  private void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  private <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  /** The end of a service; after the end of the rings, nothing of the service is left here. */
  private void leave(String what, Runnable work) {
    try {
      Void ignored =
          call(
              what,
              () -> {
                work.run();
                return null;
              });
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
    nodes.follow(now);
  }

  /** A transport has come; one of the same name is an earlier version and is not used any more. */
  void add(String name, RingTransport transport) {
    post(() -> nodes.add(name, transport));
  }

  /** A transport goes; its ports are parked when the call returns. */
  void remove(String name, RingTransport transport) {
    leave("the end of transport " + name, () -> nodes.remove(name, transport));
  }

  void add(String name, RingStage stage) {
    post(() -> nodes.add(name, stage));
  }

  /** A stage goes; no call of it runs when the call returns. */
  void remove(String name, RingStage stage) {
    leave("the end of stage " + name, () -> nodes.remove(name, stage));
  }

  /** All nodes, in the order of their rings. */
  List<RingNodeInfo> infos() {
    return RingOrder.of(nodes.all().stream().map(Node::info).toList());
  }

  Optional<Node> find(String name) {
    return nodes.find(name);
  }

  void revoked() {
    post(() -> nodes.all().forEach(Node::revoked));
  }

  /** Writes the settings of new nodes, all or none. */
  void create(Map<String, Map<String, String>> given) {
    call(
        "create " + String.join(", ", given.keySet()),
        () -> {
          files.create(given);
          refresh();
          requireMade(given.keySet());
          return null;
        });
  }

  /** A node without the means that it needs: all nodes of the call go. */
  private void requireMade(Set<String> names) {
    Optional<String> missing = names.stream().filter(name -> find(name).isEmpty()).findFirst();
    if (missing.isPresent()) {
      String why = nodes.refusal(missing.get()).orElse("its file has gone");
      names.forEach(
          name -> {
            boolean ignored = files.remove(name);
          });
      refresh();
      throw new RingException(Errno.ENOMEM, missing.get() + ": " + why);
    }
  }

  /** Changes settings of nodes, all or none. */
  void set(Map<String, Map<String, String>> changes) {
    call(
        "set " + String.join(", ", changes.keySet()),
        () -> {
          files.set(changes);
          refresh();
          changes.keySet().stream()
              .flatMap(name -> find(name).stream())
              .forEach(node -> node.retry(nodes::transport));
          return null;
        });
  }

  /** Whether a node or its file is here. */
  boolean has(String name) {
    return find(name).isPresent() || call("find " + name, () -> files.all().containsKey(name));
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
    return call("list transports", () -> nodes.transports().stream().sorted().toList());
  }

  List<RingCounter> counters() {
    return totals.of(infos());
  }

  /** The preflight of a node. */
  List<RingFinding> check(String name) {
    record State(Optional<String> refused, Set<String> transports) {}
    State now = call("check " + name, () -> new State(nodes.refusal(name), nodes.transports()));
    Optional<Node> node = find(name);
    List<RingFinding> findings = new ArrayList<>();
    if (now.refused().isPresent()) {
      findings.add(NodeCheck.refused(name, now.refused().get(), node.isPresent()));
    } else if (node.isEmpty()) {
      throw NodeFiles.missing(name);
    }
    if (node.isPresent()) {
      findings.addAll(
          new NodeCheck(node.get().info(), infos(), now.transports(), node.get()::failure)
              .process(node.get().process())
              .run());
    }
    return findings;
  }

  /** Ends all nodes. */
  @Override
  public void close() {
    call(
        "the end of the rings",
        () -> {
          nodes.close();
          return null;
        });
    executor.close();
    agent.close();
  }
}
