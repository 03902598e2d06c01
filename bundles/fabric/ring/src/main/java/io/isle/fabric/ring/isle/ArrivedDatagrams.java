package io.isle.fabric.ring.isle;

import io.isle.api.fabric.DatagramPort;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.isle.FrameCrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The datagrams of one call: of one size, but for the last one, and of one source. */
final class ArrivedDatagrams {
  /** A batch of datagrams that the kernel joined. */
  private static final int BYTES = 1 << 16;

  final MemorySegment memory;
  private int next;
  private int end;
  private int size;
  private int from;
  private int length;

  /** Whether the source has sent a valid datagram. */
  private boolean accepted;

  ArrivedDatagrams(Arena arena) {
    memory = arena.allocate(BYTES, 64);
  }

  /** Receives the next ones, in place of those before; false if none are here. */
  boolean receive(DatagramPort port) {
    long bytes = port.receive(memory, 0, BYTES);
    if (bytes <= 0) {
      return false;
    }
    next = 0;
    end = (int) bytes;
    size = port.segment();
    accepted = false;
    return true;
  }

  /** Whether datagrams are here of which none was taken. */
  boolean isUntaken() {
    return next == 0 && end > 0;
  }

  /** Whether all of them are the chunks of one numbered frame, complete and in order. */
  boolean isFrame(int sequence) {
    int chunks = Math.ceilDiv(end, size);
    boolean sized =
        chunks == 1 ? size <= ChunkHeader.DATAGRAM_BYTES : size == ChunkHeader.DATAGRAM_BYTES;
    if (!sized || end - (chunks - 1) * size <= ChunkHeader.BYTES) {
      return false;
    }
    for (int i = 0; i < chunks; i++) {
      int chunk = i * size;
      if (ChunkHeader.magic(memory, chunk) != ChunkHeader.ISLE
          || ChunkHeader.sequence(memory, chunk) != sequence
          || ChunkHeader.chunk(memory, chunk) != i
          || ChunkHeader.total(memory, chunk) != chunks
          || ChunkHeader.reserved(memory, chunk) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of the frame of {@link #isFrame}. */
  int frameBytes() {
    return end - Math.ceilDiv(end, size) * ChunkHeader.BYTES;
  }

  /** Whether the frame of {@link #isFrame} has its checksum. */
  boolean matches(FrameCrc check) {
    check.begin(ChunkHeader.BYTES, Math.min(size, end) - ChunkHeader.BYTES);
    for (int chunk = size; chunk < end; chunk += size) {
      check.add(chunk + ChunkHeader.BYTES, Math.min(size, end - chunk) - ChunkHeader.BYTES);
    }
    return check.matches(ChunkHeader.BYTES);
  }

  /** Copies the frame of {@link #isFrame}, but for its first bytes, which its first chunk has. */
  void copy(int skipped, MemorySegment to, long offset) {
    int from = ChunkHeader.BYTES + skipped;
    long at = offset;
    for (int chunk = 0; chunk < end; chunk += size) {
      int bytes = Math.min(size, end - chunk) - from;
      MemorySegment.copy(memory, (long) chunk + from, to, at, bytes);
      at += bytes;
      from = ChunkHeader.BYTES;
    }
  }

  /** Bytes of all datagrams. */
  int bytes() {
    return end;
  }

  /** Goes on to the next datagram; false behind the last one. */
  boolean take() {
    if (next == end) {
      return false;
    }
    from = next;
    length = Math.min(size, end - next);
    next += length;
    return true;
  }

  /** Offset of the datagram. */
  int from() {
    return from;
  }

  /** Bytes of the datagram. */
  int length() {
    return length;
  }

  /** The datagram is a valid one. */
  void accept(DatagramPort port, long nowNs) {
    if (!accepted) {
      accepted = true;
      port.accept(nowNs);
    }
  }

  /** Forgets the rest. */
  void clear() {
    next = 0;
    end = 0;
  }
}
