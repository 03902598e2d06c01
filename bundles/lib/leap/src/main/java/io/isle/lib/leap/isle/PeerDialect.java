package io.isle.lib.leap.isle;

import io.isle.lib.leap.ChunkHeader;
import java.lang.foreign.MemorySegment;

/** The dialect of a peer, by its first bytes. */
public enum PeerDialect {
  /** Too few bytes to tell. */
  UNKNOWN,
  /** The peer speaks leap, or on a stream a protocol that nobody can tell from it. */
  LEAP,
  /** The peer speaks isle. */
  ISLE,
  /** A datagram of neither dialect. */
  NEITHER;

  private static final int NEEDED = 10;

  /**
   * Of a stream. A leap stream has no framing; dialect isle begins with a HELLO or its refusal.
   *
   * @param length bytes so far, 0 or more
   */
  public static PeerDialect ofStream(MemorySegment bytes, long offset, long length) {
    long magic = Math.min(length, Integer.BYTES);
    for (int i = 0; i < magic; i++) {
      if (bytes.get(IsleFrame.U8, offset + i) != (byte) (IsleFrame.MAGIC >>> (8 * i))) {
        return LEAP;
      }
    }
    if (length < NEEDED) {
      return UNKNOWN;
    }
    int kind = IsleFrame.kind(bytes, offset);
    return kind == IsleFrame.HELLO || kind == IsleFrame.REFUSAL ? ISLE : LEAP;
  }

  /** Of a datagram. */
  public static PeerDialect ofDatagram(MemorySegment bytes, long offset, long length) {
    if (length < ChunkHeader.BYTES) {
      return NEITHER;
    }
    return switch (ChunkHeader.magic(bytes, offset)) {
      case ChunkHeader.LEAP -> LEAP;
      case ChunkHeader.ISLE -> ISLE;
      default -> NEITHER;
    };
  }
}
