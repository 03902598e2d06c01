package io.isle.fabric.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.admin.NodeFiles;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.node.Node;
import io.isle.fabric.ring.node.RingNode;
import io.isle.fabric.ring.process.OwnNode;
import io.isle.fabric.ring.process.PartSource;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.PosixException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The nodes as their files, transports and stages come and go. Changes belong to the executor of
 * the rings; {@link #all} and {@link #find} are for any thread.
 */
final class NodeSet {
  private static final System.Logger LOG = System.getLogger(NodeSet.class.getName());

  private final CounterTotals totals;
  private final PartSource parts;
  private final FailureSink sink;
  private final SerialExecutor executor;
  private final FabricAgent agent;
  private final Map<String, Node> nodes = new ConcurrentSkipListMap<>();
  private final Map<String, RingTransport> transports = new HashMap<>();

  /** How often each transport has gone. */
  private final Map<String, Long> ends = new HashMap<>();

  private final Map<String, RingStage> stages = new HashMap<>();
  private final Map<String, String> refused = new TreeMap<>();

  /**
   * @param executor runs delayed work
   * @param agent drives the links of nodes of this process
   */
  NodeSet(
      CounterTotals totals,
      PartSource parts,
      FailureSink sink,
      SerialExecutor executor,
      FabricAgent agent) {
    this.totals = totals;
    this.parts = parts;
    this.sink = sink;
    this.executor = executor;
    this.agent = agent;
  }

  Collection<Node> all() {
    return nodes.values();
  }

  Optional<Node> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** Why the file of a node is refused; empty if it is not. */
  Optional<String> refusal(String name) {
    return Optional.ofNullable(refused.get(name));
  }

  /** Names of the installed transports. */
  Set<String> transports() {
    return Set.copyOf(transports.keySet());
  }

  /** An installed transport; null without one. */
  RingTransport transport(String name) {
    return transports.get(name);
  }

  /**
   * Follows the files of nodes.
   *
   * @param files settings of each node
   */
  void follow(Map<String, Map<String, String>> files) {
    List<String> gone = nodes.keySet().stream().filter(name -> !files.containsKey(name)).toList();
    for (String name : gone) {
      close(name);
      totals.forget(name);
    }
    refused.keySet().retainAll(files.keySet());
    files.forEach(this::apply);
  }

  private void close(String name) {
    Node node = nodes.remove(name);
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

  /** The installed transports refuse what they cannot use. */
  void requireUsable(String name, NodeSettings settings) {
    RingNode.check(name, settings, transports::get);
  }

  private void apply(String name, NodeSettings settings) {
    Node node = nodes.get(name);
    if (node != null && node.settings().equals(settings)) {
      return;
    }
    requireUsable(name, settings);
    if (node != null && node.canChangeTo(settings)) {
      node.change(settings, transports::get);
      return;
    }
    close(name);
    Node made = make(name, settings);
    nodes.put(name, made);
    stages.forEach(made::use);
    transports.forEach(made::attach);
  }

  private Node make(String name, NodeSettings settings) {
    if (settings.process().own()) {
      return new OwnNode(name, settings, parts, totals::keep, sink);
    }
    try {
      return new RingNode(name, settings, agent, sink);
    } catch (PosixException | OutOfMemoryError e) {
      throw new RingException(
          Errno.ENOMEM,
          "the platform has too little memory, or too few descriptors, for the node: "
              + e.getMessage(),
          e);
    }
  }

  /** A transport has come; one of the same name is an earlier version and is not used any more. */
  void add(String name, RingTransport transport) {
    RingTransport before = transports.put(name, transport);
    if (before != null) {
      nodes.values().forEach(node -> node.detach(name));
    }
    nodes.values().forEach(node -> node.attach(name, transport));
  }

  /** A transport goes: its ports are parked. */
  void remove(String name, RingTransport transport) {
    if (transports.remove(name, transport)) {
      long ignored = ends.merge(name, 1L, Long::sum);
      nodes.values().forEach(node -> park(node, name));
    }
  }

  private void park(Node node, String transport) {
    if (node.detach(transport)) {
      Duration wait = Duration.ofNanos(node.settings().waits().parkNs());
      long end = ends.get(transport);
      var ignored =
          executor.after(
              wait,
              () -> {
                // a version that came and went meanwhile has parked anew
                if (!transports.containsKey(transport) && ends.get(transport) == end) {
                  node.dropParked(transport);
                }
              });
    }
  }

  void add(String name, RingStage stage) {
    stages.put(name, stage);
    nodes.values().forEach(node -> node.use(name, stage));
  }

  /** A stage goes; no call of it runs when the call returns. */
  void remove(String name, RingStage stage) {
    if (stages.remove(name, stage)) {
      nodes.values().forEach(node -> node.use(name, null));
    }
  }

  /** Ends all nodes. */
  void close() {
    nodes.values().forEach(Node::leave);
    List.copyOf(nodes.keySet()).forEach(this::close);
  }
}
