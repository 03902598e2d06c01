package io.isle.lib.leap;

/** How frames are cut into chunks. Pure functions, safe for any thread. */
public final class Chunks {
  /** Most datagrams of one call with UDP_SEGMENT: their bytes, 65,507 at most, are the limit. */
  public static final int MAX_BATCH = 65_507 / ChunkHeader.DATAGRAM_BYTES;

  /** Bytes of such a batch. */
  public static final int MAX_BATCH_BYTES = MAX_BATCH * ChunkHeader.DATAGRAM_BYTES;

  private Chunks() {}

  /**
   * Chunks of a frame.
   *
   * @param frameBytes 1 to {@link Packets#MAX_BYTES}
   */
  public static int count(int frameBytes) {
    return (frameBytes + ChunkHeader.PAYLOAD_BYTES - 1) / ChunkHeader.PAYLOAD_BYTES;
  }

  /** Offset of a chunk in its frame. */
  public static int offset(int chunk) {
    return chunk * ChunkHeader.PAYLOAD_BYTES;
  }

  /** Bytes of a chunk, 1 to 1400. */
  public static int length(int frameBytes, int chunk) {
    return Math.min(ChunkHeader.PAYLOAD_BYTES, frameBytes - offset(chunk));
  }
}
