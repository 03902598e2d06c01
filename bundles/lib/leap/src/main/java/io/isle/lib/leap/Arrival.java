package io.isle.lib.leap;

/** What became of a datagram. */
public enum Arrival {
  /** A new chunk of a frame. */
  ACCEPTED,
  /** The last missing chunk of a frame. */
  COMPLETED,
  /** The chunk had arrived before, and its frame is not delivered yet. */
  DUPLICATE,
  /** The frame was delivered or given up. */
  STALE,
  /** No room: frames that were not taken yet fill the window. */
  OVERFLOW,
  /** Fewer than 13 bytes, or another magic number. */
  WRONG_MAGIC,
  /** A number of chunks that the frame cannot have, or a chunk beyond it. */
  WRONG_TOTAL,
  /** A chunk with a length that it cannot have. */
  WRONG_LENGTH;

  /** Whether the datagram is well-formed, so that its source is a peer of the protocol. */
  public boolean isValid() {
    return ordinal() < WRONG_MAGIC.ordinal();
  }
}
