package io.isle.spin.nic.core;

/** The message of a queue, or the last one. Mutable; used again. */
final class OpenMessage {
  private int id;
  private boolean ended;
  private int lastSlot;
  private long begunNs;
  private long lastPacketNs;

  void begin(int message, long nowNs) {
    id = message;
    begunNs = nowNs;
    ended = false;
  }

  /** A packet belongs to it. */
  void join(int slot, boolean last, long nowNs) {
    lastPacketNs = nowNs;
    if (last) {
      ended = true;
      lastSlot = slot;
    }
  }

  /** It is over. */
  void clear() {
    ended = false;
  }

  int id() {
    return id;
  }

  /** Whether its last packet is there. */
  boolean ended() {
    return ended;
  }

  /** The slot of its last packet, which is there. */
  int lastSlot() {
    return lastSlot;
  }

  long begunNs() {
    return begunNs;
  }

  long lastPacketNs() {
    return lastPacketNs;
  }
}
