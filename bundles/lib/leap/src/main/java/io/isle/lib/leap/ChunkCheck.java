package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;

/** Whether a datagram can be a chunk of a frame, by its header and length alone. Immutable. */
final class ChunkCheck {
  private final int magic;
  private final boolean fixed;
  private final int frameBytes;
  private final int total;

  ChunkCheck(ReassemblyRules rules) {
    magic = rules.magic();
    fixed = rules.fixed();
    frameBytes = rules.frameBytes();
    total = Chunks.count(frameBytes);
  }

  /** {@link Arrival#ACCEPTED} or a fault. */
  Arrival of(MemorySegment datagram, long offset, int length) {
    if (length <= ChunkHeader.BYTES || ChunkHeader.magic(datagram, offset) != magic) {
      return Arrival.WRONG_MAGIC;
    }
    int chunks = ChunkHeader.total(datagram, offset);
    int chunk = ChunkHeader.chunk(datagram, offset);
    if ((fixed ? chunks != total : chunks > total) || chunk >= chunks) {
      return Arrival.WRONG_TOTAL;
    }
    int payload = length - ChunkHeader.BYTES;
    int most = Chunks.length(frameBytes, chunk);
    boolean last = chunk == chunks - 1;
    boolean fits = last && !fixed ? payload <= most : payload == most;
    // a frame of several sizes: only its last chunk may be shorter
    return fits ? Arrival.ACCEPTED : Arrival.WRONG_LENGTH;
  }
}
