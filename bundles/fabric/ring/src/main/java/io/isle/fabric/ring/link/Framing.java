package io.isle.fabric.ring.link;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Packets of one size on a kind of port. A machine: one attempt a call, never a wait, no
 * allocation. The thread that drives the port calls; one thread receives, one sends.
 */
interface Framing {
  /** The fault of a previous node that greets. */
  String SPEAKS_ISLE =
      "the previous node speaks dialect isle: set prev.dialect = isle on this node, or"
          + " next.dialect = leap on the previous node";

  /** Begins a receiving call: the begin of a packet that is here is moved to {@code into}. */
  void beginReceive(MemorySegment into, long offset);

  /**
   * Receives bytes of the next packet.
   *
   * @return bytes of the whole packet; -EAGAIN; -ENOTCONN; -ENODATA for a lost packet
   */
  long receive(RingPort port, MemorySegment into, long offset, long nowNs);

  /** Ends a receiving call without a packet: the begin of the packet stays here. */
  void endReceive(MemorySegment into, long offset);

  /**
   * Looks at the next packet.
   *
   * @return the whole packet, which stays the next one; null if it is not here as a whole
   */
  MemorySegment peek(RingPort port, long nowNs);

  /** Removes the packet that {@link #peek} returned. */
  void take();

  /**
   * Sends bytes of a packet, of {@code head} first.
   *
   * @return bytes of the whole packet once it is sent; -EAGAIN; -ENOTCONN; -EINTR if the path ended
   *     during the packet
   */
  long send(
      RingPort port,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long nowNs);

  /**
   * Ends a sending call whose packet is not sent as a whole. The rest of a packet that has begun is
   * copied, and sent later.
   *
   * @return bytes of the packet if it has begun; 0 if nothing of it was sent
   */
  long endSend(MemorySegment head, long headLength, MemorySegment data, long offset, long length);

  /**
   * Sends the rest of an earlier packet.
   *
   * @return whether nothing is left
   */
  boolean flush(RingPort port, long nowNs);

  /** Forgets the begin of a packet and the rest of another one: the port is a new one. */
  void reset();

  /** Whether the path carries a part of a packet whose other part is in a call. */
  default boolean isMidway() {
    return false;
  }

  /** The last lost packet. Any thread. */
  Optional<RingLoss> loss();

  /** What the neighbour does wrong, and the remedy, in words; empty for nothing. Any thread. */
  default String reason() {
    return "";
  }

  /** Times of packets to the next node; empty for a protocol that does not measure them. */
  default Optional<HopTimes> hop() {
    return Optional.empty();
  }

  /**
   * The time of the next call without an event, in nanoseconds; {@link Long#MAX_VALUE} for none.
   */
  long deadlineNs();
}
