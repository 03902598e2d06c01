package io.isle.spin.nic.core;

/** Handlers of an execution context. */
public enum HandlerKind {
  /** Runs once for a message, on its first packet, before all others. */
  HEADER,
  /** Runs for each packet. */
  PACKET,
  /** Runs once for a message, on its last packet, after all others. */
  TAIL
}
