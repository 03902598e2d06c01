package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.health.NewsPath;
import io.isle.fabric.ring.health.NodeHealth;
import io.isle.fabric.ring.isle.IsleLink;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.link.Link;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.fabric.ring.link.PacketLink;
import io.isle.fabric.ring.settings.NodeSettings;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/** Both links of a node. Changes belong to the thread of the rings. */
final class NodeLinks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NodeLinks.class.getName());

  final Link prev;
  final Link next;
  private final String node;
  private final FabricAgent agent;
  private volatile LinkSpecs specs;

  NodeLinks(String node, NodeSettings settings, NodeHealth health, FabricAgent agent) {
    this.node = node;
    this.agent = agent;
    specs = new LinkSpecs(node, settings);
    prev = open(specs.prev(), settings, health);
    next = open(specs.next(), settings, health);
    health.paths(path(prev), path(next));
    agent.watch(prev);
    agent.watch(next);
  }

  private static NewsPath path(Link link) {
    if (!(link instanceof IsleLink isle)) {
      return NewsPath.NONE;
    }
    return new NewsPath() {
      @Override
      public boolean isUp() {
        return isle.isUp();
      }

      @Override
      public void post(int kind, byte[] payload) {
        isle.post(kind, payload);
      }
    };
  }

  /** Puts a control packet behind the packets to the next node; false without room for it. */
  boolean offerControl(MemorySegment packet) {
    return next instanceof IsleLink isle && isle.offerControl(packet);
  }

  private Link open(LinkSpec spec, NodeSettings settings, NodeHealth health) {
    return spec.dialect() == Dialect.ISLE
        ? new IsleLink(
            spec, specs.isle(spec.side(), settings), health.events(spec.side()), agent::wake)
        : new PacketLink(spec);
  }

  /**
   * Other settings of links that may differ.
   *
   * @param transports gives a transport by its name, or null
   */
  void change(NodeSettings settings, Function<String, RingTransport> transports) {
    specs = new LinkSpecs(node, settings);
    change(prev, specs.prev(), transports);
    change(next, specs.next(), transports);
    agent.wake();
  }

  private void change(Link link, LinkSpec spec, Function<String, RingTransport> transports) {
    if (!link.spec().equals(spec)) {
      guarded(link, () -> link.change(spec, transports));
    }
  }

  /** A transport has come. */
  void attach(String name, RingTransport transport) {
    for (Link link : List.of(prev, next)) {
      guarded(link, () -> link.attach(name, transport));
    }
    agent.wake();
  }

  private void guarded(Link link, Runnable work) {
    try {
      work.run();
    } catch (RingException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring node {0}: the link to the {1} node cannot be opened: {2}",
          node,
          link.spec().side() == RingSide.PREV ? "previous" : "next",
          e.getMessage());
    }
  }

  /** A transport goes: its ports are parked; whether there are any. */
  boolean detach(String name) {
    prev.detach(name);
    next.detach(name);
    return prev.spec().uses(name) || next.spec().uses(name);
  }

  /** No later version of a transport has come in time. */
  void dropParked(String name) {
    prev.dropParked(name);
    next.dropParked(name);
  }

  void wake() {
    prev.wake();
    next.wake();
  }

  /** No data call may run or begin. */
  @Override
  public void close() {
    agent.forget(prev);
    agent.forget(next);
    prev.close();
    next.close();
  }
}
