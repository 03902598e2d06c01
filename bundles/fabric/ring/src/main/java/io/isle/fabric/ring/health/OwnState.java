package io.isle.fabric.ring.health;

import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;

/** What a node says about itself. Thread-safe. */
public interface OwnState {
  /** Writes the node's part of a heartbeat, by {@link io.isle.lib.leap.isle.Heartbeat#node}. */
  void write(MemorySegment heartbeat, long at, long nowNs);

  /** The node's answer to a roll call. */
  RollCall.Entry entry();
}
