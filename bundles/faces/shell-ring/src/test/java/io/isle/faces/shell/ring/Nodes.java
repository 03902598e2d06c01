package io.isle.faces.shell.ring;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.util.List;
import java.util.Optional;

/** Nodes of tests. */
public final class Nodes {
  public static final LinkCounters NONE = new LinkCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private Nodes() {}

  /** A master with both links up. */
  public static RingNodeInfo master(String name, int packetBytes, int position) {
    return new RingNodeInfo(
        name,
        "demo",
        RingRole.MASTER,
        NodeState.RUNNING,
        "",
        packetBytes,
        12,
        Optional.empty(),
        Optional.empty(),
        up(RingSide.PREV, "tcp://127.0.0.1:7000", NONE),
        up(RingSide.NEXT, "tcp://127.0.0.1:7001", NONE),
        position,
        0,
        2);
  }

  /** A tail that waits for its neighbours. */
  public static RingNodeInfo tail(String name, LinkInfo prev, LinkInfo next) {
    return new RingNodeInfo(
        name,
        "demo",
        RingRole.TAIL,
        NodeState.WAITING,
        "",
        72,
        12,
        Optional.of(new LayerRange(6, 12, true)),
        Optional.of("mix"),
        prev,
        next,
        0,
        5,
        2);
  }

  /** A node that knows of others. */
  public static RingNodeInfo withHealth(RingNodeInfo of, RingHealth health) {
    return new RingNodeInfo(
        of.name(),
        of.ring(),
        of.role(),
        of.state(),
        of.reason(),
        of.packetBytes(),
        of.layers(),
        of.range(),
        of.stage(),
        of.prev(),
        of.next(),
        of.position(),
        of.dropped(),
        of.resizes(),
        health);
  }

  public static LinkInfo up(RingSide side, String address, LinkCounters counters) {
    return new LinkInfo(
        side,
        Dialect.LEAP,
        List.of(address),
        PortState.UP,
        "",
        Optional.of("127.0.0.1:40000"),
        List.of("plaintext", "buffers 4 MiB"),
        counters);
  }

  public static LinkInfo down(RingSide side, String address, PortState state, String reason) {
    return new LinkInfo(
        side, Dialect.LEAP, List.of(address), state, reason, Optional.empty(), List.of(), NONE);
  }
}
