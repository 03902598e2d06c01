package io.isle.faces.shell.ring;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingNodeInfo;
import java.util.Optional;

/**
 * A node of a ring with all that is known: of this platform, or of another one by its answer to the
 * roll call of a master here, or by the reports of its neighbours.
 *
 * @param node of this platform
 * @param member the answer to the roll call
 * @param hop times of packets to the next node, if they are measured
 * @param failure the failure that lasts
 */
record StatusRow(
    String ring,
    String name,
    Optional<RingNodeInfo> node,
    Optional<RingMember> member,
    Optional<HopTimes> hop,
    Optional<NodeFailure> failure) {
  /** Null for a node of which only a failure is known. */
  String role() {
    return node.map(RingNodeInfo::role)
        .or(() -> member.map(RingMember::role))
        .map(role -> role.text())
        .orElse(null);
  }

  /** Of another platform, the failure takes the place of the state of before. */
  String state() {
    return node.map(one -> one.state().text())
        .or(() -> failure.map(one -> one.cause().text()))
        .or(() -> member.map(one -> one.state().text()))
        .orElse(null);
  }

  Optional<LayerRange> range() {
    return node.map(RingNodeInfo::range).orElse(member.flatMap(RingMember::range));
  }

  /** The address that the node listens on; null if it is not known. */
  String address() {
    return node.map(one -> NodeRows.addresses(one.prev()))
        .or(() -> member.map(RingMember::address))
        .or(() -> failure.map(NodeFailure::address))
        .filter(text -> !text.isEmpty())
        .orElse(null);
  }

  /** Nanoseconds that half of the packets to the next node needed at most; null if not known. */
  Long hopP50Ns() {
    return hop.map(HopTimes::p50Ns)
        .or(() -> member.map(RingMember::hopNs).filter(ns -> ns > 0))
        .orElse(null);
  }

  Long hopP99Ns() {
    return hop.map(HopTimes::p99Ns).orElse(null);
  }

  /** What the neighbours report of the node, else its own failure or that of its links. */
  String error() {
    return failure.map(NodeFailure::text).or(() -> node.map(NodeRows::error)).orElse(null);
  }
}
