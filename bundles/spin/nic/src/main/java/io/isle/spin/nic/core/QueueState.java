package io.isle.spin.nic.core;

/** States of a queue of messages. */
enum QueueState {
  /** Packets stand alone; there are no messages. */
  ALONE,
  /** No message. */
  FREE,
  /** The header handler is ready to run. */
  HEADER,
  /** The header handler runs. */
  HEADER_RUNNING,
  /** Packet handlers run; further packets may come. */
  PAYLOAD,
  /** The last packet is there, and no packet handler is left. */
  COMPLETION,
  /** The tail handler runs. */
  COMPLETION_RUNNING,
  /** Tasks of an aborted message still run. */
  ABORTING
}
