package io.isle.faces.shell.spin;

import io.isle.faces.shell.Table;

/** Packets of one id, to the one that ends the message. */
final class MatchedMessage {
  private final int slot;
  private final int message;
  private final long first;
  private long packets;
  private boolean eom;

  /**
   * @param message id, unsigned
   * @param first index of the first packet in the capture
   */
  MatchedMessage(int slot, int message, long first) {
    this.slot = slot;
    this.message = message;
    this.first = first;
  }

  void add(boolean ends) {
    packets++;
    eom |= ends;
  }

  static Table<MatchedMessage> table() {
    return new Table<MatchedMessage>("")
        .column("slot", message -> message.slot)
        .column("message", message -> Integer.toUnsignedLong(message.message))
        .column("queue", message -> MatchedPacket.queue(message.message))
        .column("packets", message -> message.packets)
        .column("first", message -> message.first)
        .column("eom", message -> message.eom);
  }
}
