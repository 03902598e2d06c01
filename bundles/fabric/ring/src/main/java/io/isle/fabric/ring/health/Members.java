package io.isle.fabric.ring.health;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingRole;
import io.isle.lib.leap.isle.RollCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The nodes of a ring by the roll calls of its master. One thread at a time. */
final class Members {
  private static final RingRole[] ROLES = RingRole.values();
  private static final NodeState[] STATES = NodeState.values();

  private List<RingMember> list = List.of();
  private Map<String, Long> sessions = Map.of();
  private long rejoins;

  /** A roll call is complete; the master stands last. */
  void take(List<RollCall.Entry> others, RollCall.Entry master) {
    Map<String, Long> now = new HashMap<>();
    for (RollCall.Entry entry : others) {
      Long before = sessions.get(entry.node());
      rejoins += before != null && before != entry.session() ? 1 : 0;
      now.put(entry.node(), entry.session());
    }
    sessions = now;
    list = Stream.concat(others.stream(), Stream.of(master)).map(Members::of).toList();
  }

  /** In the order of the ring; empty before the first roll call. */
  List<RingMember> list() {
    return list;
  }

  /** Nodes that came back with another session. */
  long rejoins() {
    return rejoins;
  }

  private static RingMember of(RollCall.Entry entry) {
    RingRole role = ROLES[entry.role()];
    boolean works = role == RingRole.WORKER || role == RingRole.TAIL;
    return new RingMember(
        entry.node(),
        entry.address(),
        role,
        STATES[entry.state()],
        works
            ? Optional.of(new LayerRange(entry.start(), entry.end(), entry.tail()))
            : Optional.empty(),
        entry.session(),
        entry.hopNs());
  }

  /** Whether two rolls differ at most in the times of hops. */
  static boolean same(List<RingMember> one, List<RingMember> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!withoutHop(one.get(i)).equals(withoutHop(other.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private static RingMember withoutHop(RingMember of) {
    return new RingMember(
        of.node(), of.address(), of.role(), of.state(), of.range(), of.session(), 0);
  }
}
