package io.isle.fabric.ring.node;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.fabric.ring.health.OwnState;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

/** What a node says about itself, in heartbeats and in roll calls. Thread-safe. */
final class NodeSelf implements OwnState {
  private final RingNode node;
  private final NodeWork work;
  private final long session = ThreadLocalRandom.current().nextLong();

  NodeSelf(RingNode node, NodeWork work) {
    this.node = node;
    this.work = work;
  }

  @Override
  public void write(MemorySegment heartbeat, long at, long nowNs) {
    work.write(heartbeat, at, nowNs);
  }

  @Override
  public RollCall.Entry entry() {
    LayerRange range = work.range();
    return new RollCall.Entry(
        node.name(),
        LinkSpecs.shown(node.settings().listen().getFirst()),
        session,
        node.settings().role().ordinal(),
        node.state().ordinal(),
        range.start(),
        range.end(),
        range.tail(),
        work.isResized(),
        node.hop().map(HopTimes::p50Ns).orElse(0L));
  }
}
