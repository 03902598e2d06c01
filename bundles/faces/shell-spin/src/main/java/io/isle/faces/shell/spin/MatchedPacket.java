package io.isle.faces.shell.spin;

import io.isle.faces.shell.Table;

/**
 * A packet that matches a ruleset.
 *
 * @param index in the capture, from 0
 * @param eom whether the packet ends its message
 * @param message id, unsigned
 */
record MatchedPacket(long index, int slot, boolean eom, int message, int bytes) {
  private static final int QUEUES = 16;

  /** The queue of a message. */
  static int queue(int message) {
    return message & QUEUES - 1;
  }

  static Table<MatchedPacket> table() {
    return new Table<MatchedPacket>("")
        .column("index", MatchedPacket::index)
        .column("slot", MatchedPacket::slot)
        .column("eom", MatchedPacket::eom)
        .column("message", packet -> Integer.toUnsignedLong(packet.message))
        .column("queue", packet -> queue(packet.message))
        .column("bytes", MatchedPacket::bytes);
  }
}
