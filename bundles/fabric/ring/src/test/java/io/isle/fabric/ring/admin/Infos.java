package io.isle.fabric.ring.admin;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.util.List;
import java.util.Optional;

/** Nodes of tests. */
final class Infos {
  private Infos() {}

  static RingNodeInfo node(String name, RingRole role, LinkInfo prev, LinkInfo next) {
    boolean works = role != RingRole.MASTER;
    return new RingNodeInfo(
        name,
        "r",
        role,
        NodeState.WAITING,
        "",
        264,
        12,
        works ? Optional.of(new LayerRange(0, 12, true)) : Optional.empty(),
        works ? Optional.of("mix") : Optional.empty(),
        prev,
        next,
        0,
        3,
        1);
  }

  static LinkInfo link(RingSide side, String address, PortState state, String reason) {
    return link(side, address, Dialect.LEAP, state, reason, List.of());
  }

  static LinkInfo link(
      RingSide side,
      String address,
      Dialect dialect,
      PortState state,
      String reason,
      List<String> notes) {
    return new LinkInfo(
        side,
        dialect,
        List.of(address),
        state,
        reason,
        Optional.empty(),
        notes,
        new LinkCounters(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
  }

  static RingNodeInfo up(String name, RingRole role, String listen, String next) {
    return node(
        name,
        role,
        link(RingSide.PREV, listen, PortState.UP, ""),
        link(RingSide.NEXT, next, PortState.UP, ""));
  }
}
