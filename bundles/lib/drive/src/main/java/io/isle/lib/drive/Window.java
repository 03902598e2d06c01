package io.isle.lib.drive;

import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Packets on their way round the ring, between one sender and one receiver. Indices are those of
 * packets with a requested reply, from 0. Thread-safe.
 */
interface Window {
  /** No packet. */
  long NONE = -1;

  /**
   * Waits until a packet may be sent, and counts it as on its way.
   *
   * @param more whether a new packet is wanted; asked again after {@link #wake}
   * @return index of a lost packet that is to be sent again, or of a new packet; {@link #NONE}
   *     after {@link #stop}, and if no new packet is wanted and none has to be sent again
   */
  long begin(BooleanSupplier more) throws InterruptedException;

  /** The packet of the last {@link #begin} is sent. */
  void sent(long index, long nowNs);

  /**
   * A reply has arrived.
   *
   * @return index of its packet; {@link #NONE} if no such reply is due
   */
  long replied(int position, long nowNs);

  /** The reply is dealt with: the place of its packet is free. */
  void taken(long index);

  /**
   * The link has lost a packet in this place: the oldest that is due.
   *
   * @return false if none is due
   */
  boolean lost(Optional<LostFrame> frame, long nowNs);

  /** Gives up the replies of all packets that are sent if none came for a time. */
  void expire(long timeoutNs, long nowNs);

  /** {@link #begin} asks again whether a new packet is wanted. */
  void wake();

  /** No further packet begins; the sender wakes up. */
  void stop();

  /** Whether {@link #stop} was called. */
  boolean isStopped();

  /** Whether no packet is on its way. */
  boolean isEmpty();

  /** Number of replies that came after they were given up. */
  long late();

  /** Number of packets that were sent again. */
  long resent();

  /** Longest time between two replies while a reply was due, in nanoseconds. */
  long gapNs();

  /** The lost replies; a copy. */
  BitSet lost();
}
