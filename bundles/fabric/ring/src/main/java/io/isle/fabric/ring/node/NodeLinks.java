package io.isle.fabric.ring.node;

import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.fabric.ring.link.PacketLink;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Both links of a node. Changes belong to the thread of the rings. */
final class NodeLinks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NodeLinks.class.getName());

  final PacketLink prev;
  final PacketLink next;
  private final String node;
  private final FabricAgent agent;

  NodeLinks(String node, NodeSettings settings, FabricAgent agent) {
    this.node = node;
    this.agent = agent;
    prev = new PacketLink(prev(node, settings));
    next = new PacketLink(next(node, settings));
    agent.watch(prev);
    agent.watch(next);
  }

  private static LinkSpec prev(String node, NodeSettings settings) {
    PortSpec port =
        new PortSpec(
            node,
            RingSide.PREV,
            settings.listen().place(),
            "",
            settings.prevDialect(),
            settings.packetBytes(),
            settings.source(),
            settings.allow(),
            settings.plaintext(),
            settings.buffers().kernelBytes(),
            Map.of());
    return link(settings, settings.listen(), port);
  }

  private static LinkSpec next(String node, NodeSettings settings) {
    boolean same = settings.listen().transport().equals(settings.next().transport());
    PortSpec port =
        new PortSpec(
            node,
            RingSide.NEXT,
            settings.next().place(),
            same ? settings.listen().place() : "",
            settings.nextDialect(),
            settings.packetBytes(),
            "",
            List.of(),
            settings.plaintext(),
            settings.buffers().kernelBytes(),
            Map.of());
    return link(settings, settings.next(), port);
  }

  private static LinkSpec link(NodeSettings settings, PathAddress address, PortSpec port) {
    return new LinkSpec(
        address.transport(),
        port,
        List.of(address.toString()),
        settings.waits().spinNs(),
        settings.waits().frameNs(),
        settings.buffers().reassemblyBytes());
  }

  /**
   * Other settings of links that may differ: the port of a changed link is closed, then opened.
   *
   * @param transports gives a transport by its name, or null
   */
  void change(NodeSettings settings, Function<String, RingTransport> transports) {
    change(prev, prev(node, settings), transports);
    change(next, next(node, settings), transports);
  }

  private void change(PacketLink link, LinkSpec spec, Function<String, RingTransport> transports) {
    if (!link.spec().equals(spec)) {
      link.change(spec);
      attach(link, transports.apply(spec.transport()));
    }
  }

  /** A transport has come; null for none. */
  void attach(String name, RingTransport transport) {
    for (PacketLink link : List.of(prev, next)) {
      if (link.spec().transport().equals(name)) {
        attach(link, transport);
      }
    }
  }

  private void attach(PacketLink link, RingTransport transport) {
    if (transport == null) {
      return;
    }
    try {
      link.attach(transport);
    } catch (RingException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring node {0}: the link to the {1} node cannot be opened: {2}",
          node,
          link.spec().port().side() == RingSide.PREV ? "previous" : "next",
          e.getMessage());
    }
    agent.wake();
  }

  /** A transport goes: its ports are parked. */
  boolean detach(String name) {
    boolean any = false;
    for (PacketLink link : List.of(prev, next)) {
      if (link.spec().transport().equals(name)) {
        link.detach();
        any = true;
      }
    }
    return any;
  }

  /** No later version of a transport has come in time. */
  void dropParked(String name) {
    for (PacketLink link : List.of(prev, next)) {
      if (link.spec().transport().equals(name)) {
        link.dropParked();
      }
    }
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
