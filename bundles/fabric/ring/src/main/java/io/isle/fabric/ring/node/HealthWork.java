package io.isle.fabric.ring.node;

import io.isle.api.fabric.NodeState;
import io.isle.fabric.ring.health.NodeHealth;
import io.isle.fabric.ring.link.Tended;
import java.util.function.Supplier;

/** The agent's work for the health of a ring. The agent's. */
final class HealthWork implements Tended {
  private static final int STATES = NodeState.values().length;

  private final NodeHealth health;
  private final NodeWork work;
  private final Supplier<NodeState> state;
  private long seen = Long.MIN_VALUE;

  HealthWork(NodeHealth health, NodeWork work, Supplier<NodeState> state) {
    this.health = health;
    this.work = work;
    this.state = state;
  }

  @Override
  public long tend(long nowNs) {
    long next = health.tend(nowNs);
    long looks = health.looks();
    if (looks != seen) {
      seen = looks;
      work.state(state.get());
    }
    return next;
  }

  @Override
  public long view() {
    return health.view() * STATES + work.state().ordinal();
  }
}
