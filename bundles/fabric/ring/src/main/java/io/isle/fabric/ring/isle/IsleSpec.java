package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;

/**
 * The settings of a link of dialect isle. Immutable.
 *
 * @param side {@link RingSide#NEXT} connects and greets first
 * @param ring name of the ring
 * @param node name of the node
 * @param role 0 master, 1 worker, 2 tail, 3 relay
 * @param packetBytes bytes of the packets of the ring
 * @param window most frames without an acknowledgement, 1 to 64
 * @param memoryBytes most bytes of the frames of a direction; bounds the window, which is at least
 *     1
 * @param heartbeatMs milliseconds between two heartbeats
 * @param stallNs nanoseconds of work on one frame after which a node counts as stuck
 * @param address that the node listens on, for the neighbour; may be empty
 */
public record IsleSpec(
    RingSide side,
    String ring,
    String node,
    int role,
    int packetBytes,
    int window,
    long memoryBytes,
    int heartbeatMs,
    long stallNs,
    String address) {
  private static final long NS_PER_MS = 1_000_000;

  /** Bytes of frames that stay in the first caches of a processor, with their copies. */
  private static final int CACHED = 1 << 16;

  /** Bytes of frames that stay in the second cache of a processor, with room for others. */
  private static final int CACHED_BYTES = 1 << 20;

  /** Bytes of the largest numbered frame, header included. */
  int frameBytes() {
    return IsleFrame.HEADER_BYTES + Math.max(packetBytes, Control.MESSAGE_BYTES);
  }

  /** Frames that the memory permits. */
  int frames() {
    long most = Math.min(window, Hello.MAX_WINDOW);
    return (int) Math.clamp(memoryBytes / frameBytes(), 1, most);
  }

  /**
   * Frames after which an acknowledgement is worth its time, because the memory of the frames is
   * used again while it is in the cache: at most half of the window.
   */
  int framesInCache() {
    return Math.clamp(CACHED / frameBytes(), 1, Math.max(1, frames() / 2));
  }

  /**
   * Most frames between two acknowledgements: half of those that may be under way, and no more than
   * stay in the second cache of a processor, which then keeps them for the next ones.
   */
  int acknowledged(int underWay) {
    return Math.max(1, Math.min(underWay / 2, CACHED_BYTES / frameBytes()));
  }

  long heartbeatNs() {
    return heartbeatMs * NS_PER_MS;
  }

  /** Whether the heartbeats of the ring begin at this node: it is a master. */
  boolean leads() {
    return role == 0;
  }

  boolean connects() {
    return side == RingSide.NEXT;
  }

  /** The setting of this node for the protocol of the link. */
  String setting() {
    return connects() ? "next.dialect" : "prev.dialect";
  }

  /** The setting of the neighbour for the protocol of the link. */
  String settingThere() {
    return connects() ? "prev.dialect" : "next.dialect";
  }

  /** The neighbour in words. */
  String neighbour() {
    return connects() ? "the next node" : "the previous node";
  }
}
