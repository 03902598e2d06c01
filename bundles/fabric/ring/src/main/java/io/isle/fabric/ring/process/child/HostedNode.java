package io.isle.fabric.ring.process.child;

import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.node.RingNode;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.agent.SerialExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The node of this process. Orders belong to one thread; reports to any. */
final class HostedNode implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostedNode.class.getName());

  private final FabricAgent agent;
  private final FailureSink sink;
  private final Map<String, RingTransport> transports = new HashMap<>();

  /** Parts that cannot be used, by kind and name. */
  private final Map<String, String> problems = new TreeMap<>();

  private volatile String problem = "";
  private volatile RingNode node;

  /**
   * @param orders the thread of orders
   * @param sink receives news of failed nodes, on the thread of orders
   */
  HostedNode(SerialExecutor orders, FailureSink sink) {
    this.sink = sink;
    agent =
        new FabricAgent(
            () -> {
              boolean ignored = orders.post(this::notifyListeners);
            });
  }

  private void notifyListeners() {
    RingNode now = node;
    if (now != null) {
      now.notifyListeners();
    }
  }

  /** Makes the node. */
  void open(String name, NodeSettings settings) {
    node = new RingNode(name, settings, agent, sink);
  }

  /** Any order between {@link #open} and the end. */
  void apply(Order order) {
    switch (order) {
      case Order.Open open -> throw new IllegalStateException("the node " + open.node() + " twice");
      case Order.Change change -> {
        node.change(change.settings(), transports::get);
        node.retry(transports::get);
      }
      case Order.Attach attach -> attach(attach.part());
      case Order.Detach detach -> detach(detach.kind(), detach.name());
      case Order.Drop drop -> node.dropParked(drop.transport());
      case Order.Ask ask -> throw new IllegalStateException("no report for " + ask);
      case Order.Leave leave -> throw new IllegalStateException("no end for " + leave);
    }
  }

  private void attach(Part part) {
    detach(part.kind(), part.name());
    try {
      if (part.kind() == Part.Kind.TRANSPORT) {
        RingTransport transport = LoadedParts.load(part, RingTransport.class);
        transports.put(part.name(), transport);
        node.attach(part.name(), transport);
      } else {
        node.use(part.name(), LoadedParts.load(part, RingStage.class));
      }
    } catch (RingException e) {
      LOG.log(System.Logger.Level.WARNING, e.getMessage(), e.getCause());
      problem(part.kind(), part.name(), e.getMessage());
    }
  }

  private void detach(Part.Kind kind, String name) {
    problem(kind, name, null);
    if (kind == Part.Kind.STAGE) {
      node.use(name, null);
    } else if (transports.remove(name) != null) {
      boolean ignored = node.detach(name);
    }
  }

  private void problem(Part.Kind kind, String name, String why) {
    problems.compute(kind.text() + " " + name, (key, before) -> why);
    problem = problems.isEmpty() ? "" : problems.values().iterator().next();
  }

  /** A number that changes with each counter of the node. */
  long counted() {
    RingNode now = node;
    return now == null ? 0 : now.counted();
  }

  /** The node as it is now; empty before its begin. */
  Optional<Answer.Report> report(long number) {
    return Optional.ofNullable(node)
        .map(
            now ->
                new Answer.Report(
                    number,
                    Bounded.of(now.info()),
                    now.hop(),
                    now.failure(RingSide.PREV),
                    now.failure(RingSide.NEXT),
                    problem));
  }

  /** Ends the node, which still has a report. */
  @Override
  public void close() {
    if (node != null) {
      node.close();
    }
    agent.close();
  }
}
