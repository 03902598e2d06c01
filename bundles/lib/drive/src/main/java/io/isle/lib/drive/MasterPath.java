package io.isle.lib.drive;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The place of a master in its ring, as a drive uses it: packets to the next node and from the
 * previous one. Data calls return bytes or a negated code of {@link io.isle.api.base.Errno}. One
 * thread sends and one receives.
 */
public interface MasterPath {
  /** Name of the node, for messages. */
  String node();

  /** Bytes of each packet. */
  int packetBytes();

  /** Sends a packet of two parts to the next node. */
  long send(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs);

  /** Receives a packet of the previous node. */
  long receive(MemorySegment into, long offset, long length, long timeoutNs);

  /** The loss that {@link #receive} reported last by -ENODATA. */
  Optional<LostFrame> lastLoss();

  /** The links of the node in words, for messages. */
  String state();
}
