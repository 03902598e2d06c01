package io.isle.fabric.ring.health;

import io.isle.lib.leap.isle.RollCall;
import java.util.List;

/** The master's use of its roll calls. Called by the agent; returns soon. */
@FunctionalInterface
public interface RollListener {
  /**
   * A roll call has gone round.
   *
   * @param nodes the nodes behind the master, in the order of the ring
   * @param begunNs System.nanoTime at its begin
   * @param nowNs System.nanoTime at its end
   */
  void rolled(List<RollCall.Entry> nodes, long begunNs, long nowNs);
}
