package io.isle.fabric.ring.process.wire;

import io.isle.fabric.ring.settings.NodeSettings;

/** What the platform wants of the process of a node. */
public sealed interface Order
    permits Order.Open,
        Order.Change,
        Order.Attach,
        Order.Detach,
        Order.Drop,
        Order.Ask,
        Order.Leave {
  /** Makes the node; the first order. */
  record Open(String node, NodeSettings settings) implements Order {}

  /** Other settings of links. */
  record Change(NodeSettings settings) implements Order {}

  /** A transport or stage has come. */
  record Attach(Part part) implements Order {}

  /** A transport or stage goes; the ports of a transport are parked. */
  record Detach(Part.Kind kind, String name) implements Order {}

  /** No later version of a transport has come in time: closes its parked ports. */
  record Drop(String transport) implements Order {}

  /**
   * Wants a report.
   *
   * @param number returns in the report; 1 for the first
   */
  record Ask(long number) implements Order {}

  /** Ends the node, with a last report, and the process. */
  record Leave() implements Order {}
}
